"use strict";

// What the page adds to the server's fragments: focus, motion, clock, keys, dialogs and a quick way back after a
// lost connection. All state of the game is in the fragments; nothing here is needed to know it.
(() => {
  const find = (id) => document.getElementById(id);
  const table = find("table");
  const root = document.documentElement;

  // Preferences

  const remembered = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const remember = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Storage may be switched off; the choice then lasts as long as the page.
    }
  };

  const showSuits = (four) => {
    root.dataset.suits = four ? "four" : "two";
    for (const button of document.querySelectorAll("[data-suits].button")) {
      button.setAttribute("aria-pressed", String(four));
    }
  };

  showSuits(remembered("suits") === "four");

  const showHints = (on) => {
    const button = find("toggle-hints");
    if (!button) return;
    root.dataset.hints = on ? "on" : "off";
    button.setAttribute("aria-pressed", String(on));
  };

  showHints(remembered("hints") === "on" && !find("toggle-hints")?.hasAttribute("aria-disabled"));

  // Buttons of every page

  const copy = async (button) => {
    const field = find(button.dataset.copy);
    field.focus();
    field.select();
    field.setSelectionRange(0, field.value.length);
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
      else if (!document.execCommand("copy")) return;
    } catch {
      return;
    }
    const before = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = before; }, 2000);
  };

  const open = (opener) => {
    const dialog = find(opener.dataset.dialog);
    opener.closest("dialog")?.close();
    const game = dialog.querySelector("input[name=game]");
    if (game && opener.dataset.game) game.value = opener.dataset.game;
    // Of the question alone: the menu has forms about seats of its own.
    const seat = dialog.querySelector(".dialog-answers input[name=seat]");
    if (seat) {
      seat.value = opener.dataset.seat ?? "";
      seat.disabled = !seat.value;
      dialog.classList.toggle("one-seat", Boolean(seat.value));
    }
    dialog.showModal();
  };

  const toggle = (button) => {
    const shown = button.dataset.toggle === "side" ? find("side") : button.closest(`.${button.dataset.toggle}`);
    const isOpen = shown.classList.toggle("open");
    button.setAttribute("aria-expanded", String(isOpen));
    followLog();
  };

  const refused = (button) => button?.getAttribute("aria-disabled") === "true";

  // A reason that has no place beside its button is told where the server tells its own.
  const tell = (words) => {
    const line = document.createElement("p");
    line.className = "toast";
    line.textContent = words;
    find("toast").replaceChildren(line);
  };

  const sayWhyNot = (button) => {
    if (button.dataset.why) tell(button.dataset.why);
    button.classList.add("asked");
    setTimeout(() => button.classList.remove("asked"), 3000);
  };

  // A new draw offer takes no click in its first second: the click was meant for what lay there before.

  let offer = { id: "", since: 0 };

  const seeOffer = () => {
    const shown = find("offer");
    const id = shown.dataset.offer ?? "";
    if (id !== offer.id) {
      offer = { id, since: performance.now() };
      if (id) setTimeout(seeOffer, 1000);
    }
    shown.classList.toggle("offer-fresh", id !== "" && performance.now() - offer.since < 1000);
  };

  const offerIsFresh = (button) =>
    button.closest("#offer") !== null && performance.now() - offer.since < 1000;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) {
      if (event.target.matches("dialog")) event.target.close();
      return;
    }
    if (refused(button)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      sayWhyNot(button);
    } else if (offerIsFresh(button)) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (button.dataset.copy) copy(button);
    else if (button.dataset.share) navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {});
    else if (button.dataset.dialog) open(button);
    else if (button.dataset.toggle) toggle(button);
    else if (button.id === "toggle-suits") {
      const four = root.dataset.suits !== "four";
      showSuits(four);
      remember("suits", four ? "four" : "two");
    } else if (button.id === "toggle-hints") {
      const on = root.dataset.hints !== "on";
      showHints(on);
      remember("hints", on ? "on" : "off");
    } else if (button.dataset.pick) pick(button.dataset.pick);
    else if (button.dataset.takeBack) takeBack(button.dataset.takeBack);
    else if (button.dataset.behind) openBackers(button.dataset.behind);
    else if (button.id === "pick-pair") turnTo(part === "pair" ? "bet" : "pair");
    else if (button.dataset.add) setAmount(amount() + Number(button.dataset.add));
    else if (button.dataset.set !== undefined) setBoth(0, 0);
    else if (button.dataset.repeat) {
      setBoth(Number(button.dataset.repeat), Number(button.dataset.pair ?? 0));
      mainForm()?.querySelector("button").click();
    } else if (button.dataset.nothing && !count(typed.bet) && !count(typed.pair)) {
      event.preventDefault();
      tell(button.dataset.nothing);
    }
  }, true);

  // The second half of a double click: the same button again, or another question under the same finger.
  const BREATH = 300;
  let pressed = { at: -BREATH, id: "", ask: "" };

  const openAsk = () => document.querySelector(".dock input[name=ask]")?.value ?? "";

  const isEcho = (button, form) => {
    const id = button?.id ?? `${form.id} ${form.elements.seat?.value ?? ""}`;
    const now = { at: performance.now(), id, ask: openAsk() };
    const echo = now.at - pressed.at < BREATH && (now.id === pressed.id || now.ask !== pressed.ask);
    if (!echo) pressed = now;
    return echo;
  };

  // What is pressed now would be answered much later, about another question: the line says why nothing happens.
  const isLost = () => table.classList.contains("offline");

  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest(".tray-chips")) pressed = { at: performance.now(), id: "", ask: openAsk() };
  }, true);

  // A form is also sent by Enter in a field, past its button; some have none.
  document.addEventListener("submit", (event) => {
    const button = event.submitter ?? event.target.querySelector("button");
    if (refused(button)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      sayWhyNot(button);
    } else if (event.target.hasAttribute("ws-send") && (isLost() || isEcho(button, event.target))) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else {
      // What was refused before is past.
      if (event.target.hasAttribute("ws-send")) find("toast").replaceChildren();
      if (event.target.hasAttribute("data-close-dialog")) {
        setTimeout(() => event.target.closest("dialog").close());
      }
    }
  }, true);

  if (navigator.share) {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = false;
  }

  if (!table) return;

  // The bet: its field lies outside of what is swapped, so that typing is never lost. The field and the chips are
  // for the main bet or for the pair bet; both are told to the forms as they were typed.

  const field = find("amount");
  const typed = { bet: field.value, pair: "" };
  let part = "bet";

  const count = (text) => Number.parseInt(text, 10) || 0;

  const amount = () => count(field.value);

  const digits = (text) => (/^\d+$/.test(text) ? Number(text).toLocaleString("en-US") : "");

  const most = () => {
    const { max, pairMax } = find("tray").dataset;
    const { bet, pair } = (target() ?? find("tray")).dataset;
    const other = part === "bet" ? typed.pair : typed.bet;
    const free = Number(find("own").dataset.chips) + Number(bet ?? 0) + Number(pair ?? 0) - count(other);
    return Math.min(Number(part === "bet" ? max : pairMax), Math.max(free, 0) || Infinity);
  };

  const put = (chips) => (chips ? String(chips) : "");

  const setAmount = (chips) => {
    typed[part] = put(Math.min(chips, most()));
    showAmount();
  };

  const setBoth = (bet, pair) => {
    turnTo("bet");
    typed.bet = put(bet);
    typed.pair = put(pair);
    setAmount(bet);
  };

  const showAmount = () => {
    if (field.value !== typed[part]) field.value = typed[part];
    for (const place of document.querySelectorAll("[data-bet-sum]")) {
      const pair = count(typed.pair) ? digits(typed.pair) : "";
      place.textContent = digits(typed.bet) && pair ? `${digits(typed.bet)} + ${pair}` : digits(typed.bet);
      place.nextElementSibling?.toggleAttribute("hidden", !pair || Boolean(digits(typed.bet)));
      if (pair && place.nextElementSibling) place.nextElementSibling.lastElementChild.textContent = pair;
    }
    for (const place of document.querySelectorAll("[data-pair-sum]")) {
      place.textContent = digits(typed.pair) || place.dataset.odds;
    }
    for (const form of document.querySelectorAll("#bet-form, #behind-form")) {
      form.elements.amount.value = typed.bet;
      if (form.elements.pair) form.elements.pair.value = typed.pair;
    }
  };

  const showPart = () => {
    find("pick-pair")?.setAttribute("aria-pressed", String(part === "pair"));
    table.dataset.part = part;
  };

  const turnTo = (name) => {
    part = name;
    showPart();
    showAmount();
  };

  field.addEventListener("input", () => {
    typed[part] = field.value;
    showAmount();
  });

  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    mainForm()?.requestSubmit(mainForm().querySelector("button"));
  });

  // What the bet is for: an own box or, for who bets behind, somebody else's. With several own boxes the server
  // asks the first one without a bet; another one is picked on the felt. Each has its own question.

  let picked = "";
  let backed = "";
  let round = "";

  const box = (number = picked) =>
    (number && document.querySelector(`.tray-box[data-box="${number}"]`)) || document.querySelector(".tray-box[data-first]");

  const behind = (number) => number && document.querySelector(`.tray-behind[data-box="${number}"]`);

  const target = () => {
    if (backed && behind(backed)) return behind(backed);
    if (find("bet-form")) return box();
    return document.querySelector('.tray-behind[data-why=""]') ?? document.querySelector(".tray-behind");
  };

  const isBehind = () => target()?.classList.contains("tray-behind") ?? false;

  const mainForm = () => find(isBehind() ? "behind-form" : "bet-form");

  const pick = (number) => {
    backed = behind(number) ? number : "";
    if (!backed) picked = number;
    showTray();
  };

  const takeBack = (number) => {
    if (behind(number)) {
      const form = find("unback-form");
      staked.delete(number);
      form.elements.seat.value = number;
      form.requestSubmit();
      return;
    }
    const form = find("back-form");
    const chosen = box(number);
    if (!form || !chosen) return;
    form.elements.ask.value = chosen.dataset.ask;
    form.requestSubmit();
  };

  let laid = "";
  let offered = "";
  const lastBehind = new Map();

  const showTray = () => {
    const tray = find("tray");
    // Who may take a seat as well is not shown the tray before they have picked somebody.
    if (tray.dataset.open === "picked" && behind(backed)) tray.dataset.open = "true";
    if (tray.dataset.open === "true" && tray.dataset.round !== round) {
      // A pair bet is laid anew each time.
      round = tray.dataset.round;
      offered = "";
      laid = "";
      typed.pair = "";
      turnTo("bet");
    }
    const chosen = target();
    for (const button of document.querySelectorAll(".seat-pick")) {
      const on = Boolean(chosen) && button.dataset.pick === chosen.dataset.box;
      button.setAttribute("aria-pressed", String(on));
    }
    for (const button of document.querySelectorAll(".seat-unback")) {
      const there = behind(button.dataset.takeBack)?.dataset;
      button.hidden = !(Number(there?.bet) || Number(there?.pair));
    }
    if (isBehind()) showBehind(chosen);
    else showBox(chosen);
    showPart();
    const own = !isBehind();
    for (const [id, shown] of [["bet-form", own], ["behind-form", !own], ["done-form", !own || waited()]]) {
      const form = find(id);
      if (form) form.hidden = !shown;
    }
    table.dataset.target = own ? "own" : "behind";
  };

  // The deal waits for who has bet behind until they are done.
  const waited = () => find("do-done")?.matches(":not([aria-disabled])") && !find("own").dataset.box;

  const showRepeat = (bet, pair = 0) => {
    const repeat = find("repeat-bet");
    repeat.dataset.repeat = String(bet);
    repeat.dataset.pair = String(pair);
    repeat.querySelector("[data-repeat-sum]").textContent = [bet, pair].filter(Boolean).map((one) => digits(String(one))).join("\u2009+\u2009");
    if (bet || pair) repeat.removeAttribute("aria-disabled");
    else repeat.setAttribute("aria-disabled", "true");
  };

  const showBehind = (chosen) => {
    const { box: number, name, bet, pair, last, lastPair, why } = chosen.dataset;
    const key = `behind ${number}`;
    // What was laid is laid: the chips are for the main bet again. An answer about another seat changes nothing.
    const state = `${number} ${bet} ${pair}`;
    if (laid.startsWith(`${number} `) && state !== laid) turnTo("bet");
    laid = state;
    if (key !== offered && (Number(bet) || Number(pair))) setBoth(Number(bet), Number(pair));
    else if (key !== offered) setBoth(count(typed.bet), 0);
    offered = key;
    find("behind-form").elements.seat.value = number;
    const button = find("do-back");
    if (why) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
    find("why-back").textContent = why;
    // A long name is cut, the number of the box behind it never is.
    const whose = find(`seat-${number}`).querySelector("bdi")?.textContent ?? name;
    document.querySelector("[data-behind-name]").textContent = whose;
    document.querySelector("[data-behind-box]").textContent = name.slice(whose.length);
    // A round that nobody played is no reason to forget what was bet in the one before.
    if (Number(bet) || Number(pair)) lastBehind.set(number, [Number(bet), Number(pair)]);
    const before = Number(last) || Number(lastPair) ? [Number(last), Number(lastPair)] : lastBehind.get(number) ?? [0, 0];
    showRepeat(...before);
  };

  const showBox = (chosen) => {
    if (!find("bet-form")) {
      picked = "";
      return;
    }
    const tray = find("tray").dataset;
    if (!chosen) {
      picked = "";
      const { ask } = find("bet-form").elements;
      if (ask.value !== laid) turnTo("bet");
      laid = ask.value;
      const { last, lastPair } = tray;
      showRepeat(Number(last) || 0, Number(lastPair) || 0);
      return;
    }
    const { ask, name, last, answered } = chosen.dataset;
    // What was picked has its answer: on to the next one.
    const state = `${chosen.dataset.box} ${ask}`;
    if (picked && laid.startsWith(`${picked} `) && laid !== state && answered === "true") {
      picked = "";
      laid = "";
      showTray();
      return;
    }
    if (state !== laid) turnTo("bet");
    laid = state;
    // Each box is offered its own last stake, and nobody more than there is.
    const several = document.querySelectorAll(".tray-box").length > 1;
    if (several && chosen.dataset.box !== offered) setBoth(Number(last), 0);
    else if (amount()) setAmount(amount());
    offered = chosen.dataset.box;
    find("bet-form").elements.ask.value = ask;
    const out = document.querySelector(".slot-sit_out input[name=ask]");
    if (out) out.value = ask;
    for (const place of document.querySelectorAll("[data-box-name]")) place.textContent = name;
    showRepeat(Number(last) || Number(tray.last) || 0);
  };

  // What this person has behind others, on their seats.

  let staked = new Set();

  const showStakes = () => {
    const own = new Map();
    const before = staked;
    staked = new Set([...document.querySelectorAll(".own-stake[data-open]")].map((stake) => stake.dataset.stake));
    const back = [...before].filter((seat) => !staked.has(seat) && /free|sitting_out/.test(find(`seat-${seat}`).dataset.status));
    if (back.length) tell(find("behind-dialog").dataset.cameBack);
    for (const stake of document.querySelectorAll(".own-stake")) own.set(stake.dataset.stake, stake);
    for (const seat of table.querySelectorAll(".seat")) {
      const mine = seat.querySelector(".seat-mine");
      if (!mine) continue;
      const stake = own.get(seat.dataset.seat);
      mine.hidden = !stake;
      mine.querySelector("[data-mine]").textContent = stake?.textContent ?? "";
      mine.querySelector("[data-mine-sum]").textContent = stake?.dataset.sum ?? "";
      if (stake?.dataset.late) mine.dataset.late = `mine-${stake.dataset.late}`;
      else delete mine.dataset.late;
    }
  };

  // Who bets behind a seat is asked for when it is wanted, and again while it is looked at.

  let looked = { seat: "", version: "" };

  const showBackers = (seat = looked.seat) => {
    const dialog = find("behind-dialog");
    const { version } = find("version").dataset;
    if (!dialog.open || (looked.seat === seat && looked.version === version)) return;
    looked = { seat, version };
    const names = find("behind-names");
    htmx.ajax("GET", names.dataset.url.replace(/0\/$/, `${seat}/`), { target: names, swap: "innerHTML" });
  };

  const openBackers = (seat) => {
    find("behind-names").replaceChildren();
    find("behind-dialog").showModal();
    looked = { seat: "", version: "" };
    showBackers(seat);
  };

  // Insurance of up to half: the most is proposed, and only once for each question.

  const insurance = find("insurance");
  let insured = "";

  const showInsurance = () => {
    const form = find("insure-form");
    const most = form?.querySelector("button").dataset.most ?? "";
    const ask = form?.elements.ask.value ?? "";
    insurance.disabled = !most;
    document.querySelector("[data-insure-most]").textContent = form?.querySelector("button").dataset.of ?? "";
    if (most && ask !== insured) insurance.value = most;
    insured = ask;
    for (const place of form?.querySelectorAll("[data-insure-sum]") ?? []) {
      place.textContent = digits(insurance.value || most);
    }
  };

  insurance.addEventListener("input", showInsurance);

  // Where everybody sits around this person.

  const showPlaces = () => {
    const places = find("own").dataset.places.split(" ");
    for (const spot of table.querySelectorAll(".spot")) {
      spot.dataset.at = places[Number(spot.firstElementChild.dataset.seat) - 1] ?? "";
    }
    const own = places.filter((place) => place === "own").length;
    table.dataset.boxes = String(own);
    table.dataset.others = String(places.length - own);
  };

  // On a small screen the felt may be taller than its place: then it scrolls, and keys must reach it.

  const felt = find("felt");

  const reachFelt = () => {
    if (felt.scrollHeight > felt.clientHeight + 1) felt.tabIndex = 0;
    else felt.removeAttribute("tabindex");
  };

  new ResizeObserver(reachFelt).observe(felt);

  // Focus: remembered by id, given back when its fragment was swapped.

  let focused = "";
  let inDock = false;

  document.addEventListener("focusin", (event) => {
    if (event.target.id) focused = event.target.id;
    inDock = event.target.closest("#dock") !== null;
  });

  // A ring and a reason belong to a focus that came by the keyboard; one that is given back by the script, or that
  // a finger left behind, is not to cover whose turn it is.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") root.dataset.by = "keys";
  }, true);

  document.addEventListener("pointerdown", () => { root.dataset.by = "pointer"; }, true);

  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(`#${CSS.escape(focused || "table")}`)) focused = "";
  });

  const giveFocusBack = () => {
    if (document.activeElement !== document.body || !focused) return;
    // A bet that was taken back leaves its box; what has no button any more leaves the dock, where the next comes.
    const places = [find(focused), find(focused.replace(/^(un)?back-/, "pick-")), inDock ? find("dock") : null];
    for (const place of places) {
      place?.focus({ preventScroll: true });
      if (document.activeElement !== document.body) return;
    }
  };

  // Motion: a card the page has not shown before is dealt, a card that was face down is turned over, and what the
  // dealer's last card decides is shown after it.

  const CARD = 120;
  const DRAW = 350;
  const ENTER = 220;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const faces = new Map();
  const arrivals = new Map();
  const told = new Map();
  let animate = false;

  const cards = () => [...find("felt").querySelectorAll(".card[id]")];

  const order = (card) => Number(card.dataset.order);

  const remind = () => {
    faces.clear();
    for (const card of cards()) faces.set(card.id, card.dataset.card);
  };

  const schedule = (now) => {
    const fresh = cards()
      .filter((card) => faces.get(card.id) !== card.dataset.card)
      .sort((one, other) => order(one) - order(other));
    const turned = fresh.filter((card) => faces.has(card.id));
    const drawn = (card) => card.matches("#dealer .card:nth-child(n + 3)");
    // What is still on its way comes first.
    const underway = cards().map((card) => arrivals.get(card.id)?.at ?? 0);
    let at = Math.max(now - DRAW, ...underway);
    const enter = (card, kind, pause) => {
      at = Math.max(now, at + pause);
      arrivals.set(card.id, { at, kind });
    };
    for (const card of fresh.filter((one) => !faces.has(one.id) && !drawn(one))) enter(card, "card-dealt", CARD);
    for (const card of turned) enter(card, "card-turned", DRAW);
    for (const card of fresh.filter((one) => !faces.has(one.id) && drawn(one))) enter(card, "card-dealt", DRAW);
    return fresh.length ? at + ENTER : now;
  };

  const holdBack = (place, wait) => {
    if (!place || !(wait > 0)) return;
    place.style.animationDelay = `${Math.round(wait)}ms`;
    place.classList.add("late");
  };

  const play = () => {
    const now = performance.now();
    const end = animate && !still.matches ? schedule(now) : now;
    for (const card of cards()) {
      const arrival = arrivals.get(card.id);
      if (!arrival) continue;
      if (arrival.at + ENTER < now) {
        arrivals.delete(card.id);
      } else if (!card.classList.contains(arrival.kind)) {
        card.style.animationDelay = `${Math.round(arrival.at - now)}ms`;
        card.classList.add(arrival.kind);
      }
    }
    for (const place of table.querySelectorAll("[data-late]")) {
      const key = place.dataset.late;
      if (!told.has(key)) told.set(key, end);
      holdBack(place, told.get(key) - now);
    }
    for (const hand of table.querySelectorAll(".hand")) {
      const ends = [...hand.querySelectorAll(".card")].map((card) => (arrivals.get(card.id)?.at ?? -ENTER) + ENTER);
      holdBack(hand.querySelector(".total"), Math.max(...ends) - now);
    }
    remind();
  };

  // Clock: the deadline is the server's and absolute. The largest difference seen is the truest, because delay on
  // the way, or a fragment kept for a while, only makes it smaller.

  let ahead = 0;
  let anew = true;
  let span = { deadline: 0, whole: 1 };

  const readTime = () => {
    if (anew) ahead = -Infinity;
    anew = false;
    for (const place of table.querySelectorAll("[data-now]")) {
      ahead = Math.max(ahead, Number(place.dataset.now) - Date.now());
    }
  };

  const tick = () => {
    const status = find("status");
    const deadline = Number(status.dataset.deadline);
    const clock = status.querySelector(".clock-digits");
    if (!deadline || !clock) return;
    const left = Math.max(0, deadline - Date.now() - ahead);
    if (span.deadline !== deadline) span = { deadline, whole: Math.max(left, 1000) };
    const seconds = String(Math.ceil(left / 1000));
    if (clock.textContent !== seconds) clock.textContent = seconds;
    status.querySelector(".clock-left").style.strokeDashoffset = String(100 - (100 * left) / span.whole);
    status.querySelector(".clock").classList.toggle("clock-short", left <= 5000);
  };

  const showTitle = () => {
    const title = find("own").dataset.title ?? find("status").dataset.title;
    if (title) document.title = `${title} · openseat`;
  };

  // What is asked of this person is also spoken, once, and what their bets behind have brought; the log is spoken by the server's own words.

  const speak = (words) => {
    const line = document.createElement("p");
    line.textContent = words;
    find("say").append(line);
  };

  let spoken = "";
  let stated = "";

  const sayWhatIsAsked = () => {
    const prompt = find("prompt");
    const words = prompt.classList.contains("prompt-mine") ? prompt.textContent.trim().replace(/\s+/g, " ") : "";
    if (words && words !== spoken) speak(words);
    spoken = words;
    const state = prompt.querySelector(".prompt-state")?.textContent.trim() ?? "";
    if (state && state !== stated && !words) speak(state);
    stated = state;
  };

  // Who was away hears the last thing that happened meanwhile; the server's words are those of each new event.
  let heardLast = "";

  const sayWhatWasMissed = (isSnapshot) => {
    const words = find("log").querySelector(".log-line:last-child:not(.log-empty)")?.textContent.trim().replace(/\s+/g, " ") ?? "";
    if (isSnapshot && words && words !== heardLast) speak(words);
    heardLast = words;
  };

  // What is to be answered within seconds lies under nothing that is only looked at. A finger that was on its way
  // to a dialog does not answer it.
  let urgent = "";

  const clearTheWay = () => {
    const { kind } = find("own").dataset;
    const asks = find("actions").dataset.kind === "behind" || (kind && kind !== "bet");
    const question = asks && find("status").dataset.deadline ? openAsk() : "";
    const isNew = question && question !== urgent;
    urgent = question;
    if (!isNew) return;
    const looked = document.querySelectorAll("#menu-dialog[open], #share-dialog[open], #behind-dialog[open]");
    for (const dialog of looked) dialog.close();
    const side = document.querySelector(".side.open");
    if (side) toggle(find("toggle-side"));
    if (looked.length || side) pressed = { at: performance.now(), id: "", ask: "" };
  };

  const followLog = () => {
    const log = find("log");
    log.scrollTop = log.scrollHeight;
  };

  // On the lowest screens the felt scrolls: what is asked of this person comes into sight, else who is in turn.
  let asked = "";

  const showWhoIsAsked = () => {
    const { seat, box, behind: backs } = find("own").dataset;
    const own = backs ? find(`seat-${backs}`) : seat && find(`seat-${box ?? seat}`);
    for (const one of table.querySelectorAll(".seat-now")) one.classList.remove("seat-now");
    if (backs || (box && table.dataset.boxes > 1)) own.classList.add("seat-now");
    const asks = backs || own?.matches?.(".seat-asked");
    const mine = own?.querySelector?.(".hand-in-turn") ?? (asks ? own : null);
    const target = mine ?? table.querySelector(".seat-in-turn");
    const key = target?.querySelector(".card")?.id ?? "";
    // What sticks to the lower edge is in sight as it is.
    const sticks = target && getComputedStyle(target.closest(".spot")).position === "sticky";
    if (key && key !== asked && !sticks) target.scrollIntoView({ block: "nearest" });
    asked = key;
  };

  const afterFrame = () => {
    showPlaces();
    reachFelt();
    readTime();
    play();
    tick();
    showTitle();
    clearTheWay();
    sayWhatIsAsked();
    showTray();
    showAmount();
    showStakes();
    showBackers();
    showInsurance();
    seeOffer();
    followLog();
    showWhoIsAsked();
    giveFocusBack();
  };

  // Connection. htmx would wait up to a minute between its tries, so the pace is set here: soon, and at once when
  // the page comes back to the eye or the network returns.

  const BEAT = 3000;
  const SILENCE = 8000;
  const AWAKE = 2000;
  const NEVER = 2 ** 31 - 1;
  const line = find("connection");
  let socket = null;
  let wrapper = null;
  let heard = performance.now();
  let tries = 0;
  let retry = 0;
  let lost = false;

  // Carrying `style` over to the new element would be inline style to the content security policy.
  htmx.config.attributesToSettle = [];
  htmx.config.wsReconnectDelay = () => NEVER;
  htmx.createWebSocket = (url) => {
    socket = new WebSocket(url, []);
    // htmx would log a lost line as an error of the page, which tells of it in words by itself.
    socket.addEventListener("error", (event) => event.stopImmediatePropagation());
    return socket;
  };

  const say = (words, good = false) => {
    line.textContent = words;
    line.classList.toggle("connection-good", good);
  };

  const mark = () => {
    lost = true;
    table.classList.add("offline");
    say(line.dataset.lost);
  };

  const found = () => {
    if (!lost) return;
    lost = false;
    table.classList.remove("offline");
    say(line.dataset.back, true);
    setTimeout(() => { if (!lost) say(""); }, 3000);
  };

  const reconnect = () => {
    clearTimeout(retry);
    if (socket) {
      // An old socket that closes late must not start a third one.
      socket.onopen = socket.onclose = socket.onerror = null;
      socket.close();
    }
    heard = performance.now();
    wrapper.reconnect();
  };

  const retrySoon = () => {
    clearTimeout(retry);
    retry = setTimeout(reconnect, Math.min(2000, 250 * 2 ** tries) * (0.75 + Math.random() / 2));
    tries += 1;
  };

  const ping = () => wrapper.sendImmediately(JSON.stringify({ action: "ping" }));

  const check = (patience) => {
    if (document.hidden || !wrapper || !socket) return;
    if (socket.readyState === WebSocket.OPEN) {
      const asked = performance.now();
      ping();
      if (patience) {
        setTimeout(() => {
          if (heard < asked) {
            mark();
            reconnect();
          }
        }, patience);
      }
    } else if (patience && lost) {
      reconnect();
    }
  };

  const watch = () => {
    if (document.hidden || !wrapper) return;
    const silent = performance.now() - heard;
    if (silent > SILENCE && socket.readyState <= WebSocket.OPEN) {
      mark();
      reconnect();
    }
  };

  table.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    // Clicks made while the line was lost answered questions that may be gone. Those made before the first
    // connection are about the page as it was just loaded, and are sent.
    if (lost) wrapper.queue.length = 0;
    heard = performance.now();
    tries = 0;
    animate = false;
    anew = true;
    found();
  });

  table.addEventListener("htmx:wsClose", (event) => {
    wrapper = event.detail.socketWrapper;
    mark();
    // A code of the application's own, or a plain goodbye, is meant.
    const { code } = event.detail.event;
    if (code < 3000 && code !== 1000) retrySoon();
    else say(line.dataset.closed);
  });

  table.addEventListener("htmx:wsBeforeMessage", () => {
    heard = performance.now();
    found();
  });

  table.addEventListener("htmx:wsAfterMessage", (event) => {
    afterFrame();
    sayWhatWasMissed(!animate);
    if (event.detail.message.includes("data-version")) animate = true;
  });

  setInterval(() => check(0), BEAT);
  setInterval(watch, 1000);
  setInterval(tick, 200);
  document.addEventListener("visibilitychange", () => check(AWAKE));
  window.addEventListener("online", () => check(AWAKE));
  window.addEventListener("pageshow", () => check(AWAKE));
  window.addEventListener("offline", mark);

  // Keys, by their place on the keyboard, so that every layout has them

  const KEYS = {
    KeyH: "do-hit",
    KeyS: "do-stand",
    KeyD: "do-double",
    KeyP: "do-split",
    KeyI: "do-insure",
    KeyB: "do-bet",
    KeyF: "do-follow",
  };

  const visible = (button) => button !== null && button.getClientRects().length > 0;

  document.addEventListener("keydown", (event) => {
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input:not([type=hidden]), textarea, select, dialog")) return;
    if (document.querySelector("dialog[open]")) return;
    let button = null;
    if (event.code === "Enter" || event.code === "NumpadEnter") {
      if (event.target.closest("button, a, summary")) return;
      button = [...document.querySelectorAll(".dock .button-main")].find((one) => visible(one) && !refused(one)) ?? null;
    } else if (KEYS[event.code]) {
      button = find(KEYS[event.code]);
      if (event.code === "KeyI" && !visible(button)) button = find("do-even_money");
      if (event.code === "KeyB" && !visible(button)) button = find("do-back");
    }
    if (!visible(button)) return;
    event.preventDefault();
    button.click();
  });

  // The page as it was loaded is already known: nothing on it moves.
  readTime();
  remind();
  for (const place of table.querySelectorAll("[data-late]")) told.set(place.dataset.late, 0);
  afterFrame();
  sayWhatWasMissed(false);
})();
