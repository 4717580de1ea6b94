"use strict";

// A finished round under the thumb: every step is in the page, and the address follows. Without this each step is
// a link of its own. Nothing here speaks to a table.
(() => {
  const page = document.getElementById("replay");
  if (!page) return;

  const find = (id) => document.getElementById(id);
  const links = [...find("steps").querySelectorAll("a")];
  const last = links.length - 1;
  const holders = [...page.querySelectorAll("div[data-piece]")];
  const variants = new Map();
  for (const template of page.querySelectorAll("template[data-piece]")) {
    const name = template.dataset.piece;
    if (!variants.has(name)) variants.set(name, []);
    variants.get(name).push(template);
  }
  const scrubber = find("scrubber");
  const player = find("play-on");
  const EACH = 1000;
  const ROOM = 8;

  let step = Number(page.dataset.step);
  let playing = 0;

  const address = (number) => `${page.dataset.url}${number}/`;

  const places = { first: () => 0, previous: () => step - 1, next: () => step + 1, last: () => last };

  const show = (number) => {
    const wanted = Math.min(Math.max(number, 0), last);
    if (wanted === step) return;
    step = wanted;
    const { box, hand } = links[step].dataset;
    for (const holder of holders) {
      const shown = variants.get(holder.dataset.piece).findLast((one) => Number(one.dataset.from) <= step);
      if (shown.dataset.from !== holder.dataset.from) {
        holder.replaceChildren(shown.content.cloneNode(true));
        holder.dataset.from = shown.dataset.from;
      }
      if (holder.dataset.box === box) holder.dataset.lit = hand;
      else delete holder.dataset.lit;
    }
    tell();
    reveal();
    history.replaceState(null, "", address(step));
  };

  // On a phone what the step is about may lie under the bar: the seat that is lit, else all seats, or what they
  // won and lost where the seats are too high.
  const reveal = () => {
    const bar = page.querySelector(".replay-bar").getBoundingClientRect();
    const parts = [".seat", ".net"].map((part) => around(`.replay-seats .replay-piece ${part}`));
    const fits = parts.find((part) => part && part.bottom - part.top <= bar.top);
    const wanted = around("[data-lit]") ?? fits ?? parts[1] ?? parts[0];
    if (!wanted) return;
    const room = Math.min(ROOM, Math.max(0, bar.top - wanted.bottom + wanted.top) / 2);
    const above = wanted.top - room;
    const under = wanted.bottom + room - bar.top;
    if (above < 0) scrollBy(0, above);
    else if (under > 0) scrollBy(0, Math.min(under, above));
  };

  const around = (selector) => {
    const shown = [...page.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
    const places = shown.map((one) => one.getBoundingClientRect());
    if (!shown.length) return null;
    const [tops, bottoms] = [places.map((one) => one.top), places.map((one) => one.bottom)];
    return { top: Math.min(...tops), bottom: Math.max(...bottoms) };
  };

  // Where one is: in words, on the buttons, in the list and on the scrubber.
  const tell = () => {
    page.dataset.step = String(step);
    const lines = [...links[step].children];
    const words = find("step-words");
    words.replaceChildren(...lines.map((one) => one.cloneNode(true)));
    const { more = "", moreWide = "" } = links[step].dataset;
    words.classList.toggle("replay-many", Boolean(more));
    const all = find("all-words");
    all.open = false;
    all.hidden = !more;
    all.querySelector(".more-narrow").textContent = more;
    all.querySelector(".more-wide").textContent = moreWide;
    all.lastElementChild.replaceChildren(...lines.map((one) => one.cloneNode(true)));
    find("step-number").textContent = String(step);
    for (const button of page.querySelectorAll("[data-go]")) {
      const to = places[button.dataset.go]();
      const { word, beyond, beyondWord } = button.dataset;
      const leaves = Boolean(beyond) && (to < 0 || to > last);
      button.href = leaves ? beyond : address(Math.min(Math.max(to, 0), last));
      button.toggleAttribute("data-leaves", leaves);
      if (word) button.setAttribute("aria-label", leaves ? beyondWord : word);
      if (!leaves && (to < 0 || to > last || to === step)) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
    }
    for (const link of links) link.removeAttribute("aria-current");
    links[step].setAttribute("aria-current", "step");
    showInList(links[step]);
    scrubber.value = String(step);
    scrubber.setAttribute("aria-valuetext", links[step].textContent.trim());
    if (step === last) play(false);
  };

  // The list scrolls, the page stays where it is.
  const showInList = (link) => {
    const list = find("steps");
    // The list is what its links are placed by.
    const top = link.offsetTop;
    const least = top + link.offsetHeight - list.clientHeight;
    if (list.scrollTop < least || list.scrollTop > top) list.scrollTop = Math.min(top, Math.max(least, 0));
  };

  const play = (on) => {
    clearInterval(playing);
    playing = 0;
    if (on) {
      if (step === last) show(0);
      playing = setInterval(() => show(step + 1), EACH);
    }
    player.toggleAttribute("data-playing", Boolean(playing));
  };

  const go = (number) => {
    play(false);
    show(number);
  };

  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go], #steps a");
    // At either end of the round the way leads on to another page.
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if ("leaves" in link.dataset) {
      if (!event.detail) carryFocus();
      return;
    }
    event.preventDefault();
    go(link.dataset.go ? places[link.dataset.go]() : Number(link.dataset.step));
  });

  // Who goes on by the keyboard finds the focus in the next round where it was in this one.
  const FOCUS = "replay-focus";

  const carryFocus = () => {
    try {
      sessionStorage.setItem(FOCUS, document.activeElement.id);
    } catch {
      // Storage may be switched off.
    }
  };

  const takeFocus = () => {
    try {
      const id = sessionStorage.getItem(FOCUS);
      sessionStorage.removeItem(FOCUS);
      if (id) find(id)?.focus({ preventScroll: true });
    } catch {
      // Likewise.
    }
  };

  const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    // The scrubber has these keys itself.
    if (event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && !event.target.closest("button, summary")) {
      event.preventDefault();
      play(!playing);
    } else if (KEYS[event.key]) {
      event.preventDefault();
      const button = page.querySelector(`[data-go="${KEYS[event.key]}"]`);
      if (!("leaves" in button.dataset)) go(places[KEYS[event.key]]());
      // Who holds the key down stops at the end.
      else if (!event.repeat) {
        carryFocus();
        location.assign(button.href);
      }
    }
  });

  scrubber.addEventListener("input", () => go(Number(scrubber.value)));
  player.addEventListener("click", () => play(!playing));
  scrubber.hidden = false;
  player.hidden = false;
  scrubber.value = String(step);
  scrubber.setAttribute("aria-valuetext", links[step].textContent.trim());
  showInList(links[step]);
  takeFocus();
  // A round begins with its headline.
  const begin = () => {
    if (step) reveal();
  };
  begin();
  // A page that is loaded again goes back to where it was scrolled to.
  addEventListener("load", () => requestAnimationFrame(begin));
})();
