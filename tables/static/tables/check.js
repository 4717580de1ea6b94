"use strict";

// "Check this shuffle": what a page says of a shoe is compared with what its seed gives. The words are in the
// page, in its language; `data-check` elements hold what is compared.
(() => {
  // The hashes that this browser was shown at tables while their seeds were secret, each with the key of its
  // shoe. A site that swapped a shoe afterwards would have to swap its hash here too.

  const MOST = 400;

  const seen = () => {
    try {
      const kept = JSON.parse(localStorage.getItem("shuffles") ?? "[]");
      // Once the hashes were kept without their shoes.
      return new Map(Array.isArray(kept) ? kept.filter((one) => Array.isArray(one) && one.length === 2) : []);
    } catch {
      return new Map();
    }
  };

  // The first hash of a shoe counts: nothing that is shown later takes its place.
  const remember = () => {
    const before = seen();
    const shown = [...document.querySelectorAll("[data-promised]")];
    const fresh = new Map(shown.map((one) => [one.dataset.promised, one.textContent]));
    for (const shoe of fresh.keys()) if (before.has(shoe)) fresh.delete(shoe);
    if (!fresh.size) return;
    try {
      localStorage.setItem("shuffles", JSON.stringify([...before, ...fresh].slice(-MOST)));
    } catch {
      // Storage may be switched off: then nothing is said of what was seen.
    }
  };

  // The comparison: a list of [right, name of the sentence, what stands in its braces]. `right` is null for
  // what is only told.

  const compare = async (told) => {
    const hexadecimal = /^[0-9a-f]{64}$/;
    const first = Number(told.first || 1);
    const decks = Number(told.decks || 0);
    const readable = hexadecimal.test(told.seed) && (!told.spare || hexadecimal.test(told.spare))
      && Number.isInteger(first) && first > 0 && Number.isInteger(decks) && decks >= 0 && decks <= 8;
    if (!readable) return [[false, "unreadable"]];
    const found = [];
    const seed = Shuffle.fromHex(told.seed);
    const hash = Shuffle.toHex(await Shuffle.sha256(seed));
    found.push(hash === told.commitment ? [true, "hash-right"] : [false, "hash-wrong", { found: hash }]);
    const promised = [[told.shoe, told.commitment, ""]];
    if (told.spare || told.spareCommitment) {
      const other = Shuffle.toHex(await Shuffle.sha256(Shuffle.fromHex(told.spare)));
      const fits = other === told.spareCommitment;
      found.push(fits ? [true, "spare-right"] : [false, "spare-wrong", { found: other }]);
      promised.push([`${told.shoe}-spare`, told.spareCommitment, "spare-"]);
    }
    if (told.example === undefined) found.push(...compareShown(promised));
    if (!decks) return [...found, [null, "elsewhere"]];
    return [...found, ...await compareCards(told, seed, decks, first)];
  };

  const compareShown = (promised) => {
    const known = seen();
    const others = promised.filter(([shoe, hash]) => known.has(shoe) && known.get(shoe) !== hash);
    if (others.length) {
      return others.map(([shoe, , which]) => [false, `${which}swapped`, { found: known.get(shoe) }]);
    }
    return [[null, promised.every(([shoe]) => known.has(shoe)) ? "seen" : "unseen"]];
  };

  const compareCards = async (told, seed, decks, first) => {
    const dealt = told.cards ? told.cards.split(" ") : [];
    if (!dealt.length) return [[null, "no-cards"]];
    const found = [];
    const shoe = await Shuffle.shoe(decks, seed);
    const ofShoe = dealt.slice(0, Math.max(0, shoe.length - first + 1));
    if (ofShoe.length) {
      const places = { first, last: first + ofShoe.length - 1 };
      found.push(oneByOne("cards", ofShoe, shoe, first, places));
    }
    const others = dealt.slice(ofShoe.length);
    if (!others.length) return found;
    // The cards of this round lay on the table: only those of the rounds before were shuffled again.
    const discards = shoe.slice(0, first - 1);
    if (!told.spare || others.length > discards.length) {
      return [...found, [false, "too-many", { last: shoe.length }]];
    }
    const again = await Shuffle.order(discards, Shuffle.fromHex(told.spare));
    found.push(oneByOne("discards", others, again, 1, { discards: discards.length }));
    return found;
  };

  const oneByOne = (what, dealt, shuffled, first, places) => {
    const at = dealt.findIndex((card, i) => card !== shuffled[first - 1 + i]);
    if (at < 0) return [true, `${what}-right`, places];
    const differs = { number: first + at, expected: shuffled[first - 1 + at], dealt: dealt[at] };
    return [false, `${what}-wrong`, { ...places, ...differs }];
  };

  // The page

  const words = document.getElementById("check-words")?.content;

  const sentence = ([right, name, values = {}]) => {
    const line = words.querySelector(`[data-say="${name}"]`).cloneNode(true);
    line.textContent = line.textContent.replace(/\{(\w+)\}/g, (_, slot) => values[slot]);
    line.className = right === null ? "check-told" : right ? "check-right" : "check-wrong";
    return line;
  };

  // No more than was compared: of the cards only where there were some, and of what was told before the bets
  // only where this browser was told.
  const fitting = (found) => {
    const names = found.map(([, name]) => name);
    const what = names.includes("cards-right") || names.includes("discards-right") ? "all" : "hash-alone";
    return `${what}-${names.includes("seen") ? "right" : "fits"}`;
  };

  const check = async (place) => {
    const found = await compare(place.dataset);
    const right = found.every(([fits]) => fits !== false);
    place.dataset.found = right ? "right" : "wrong";
    const verdict = sentence([right, right ? fitting(found) : "all-wrong"]);
    verdict.classList.add("check-verdict");
    place.querySelector(".check-said").replaceChildren(verdict, ...found.map(sentence));
  };

  const ready = (root) => {
    for (const button of root.querySelectorAll("[data-check-shuffle][hidden]")) button.hidden = false;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-check-shuffle]");
    if (button) check(button.closest("[data-check]"));
  });

  const changed = () => {
    ready(document);
    remember();
  };

  if (words) {
    changed();
    const live = document.getElementById("proofs")?.parentElement;
    if (live) new MutationObserver(changed).observe(live, { childList: true, subtree: true });
  }
})();
