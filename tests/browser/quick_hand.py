"""Dozens of rounds in seconds: what the page asks is answered past its buttons, which take no click at once
after another.

The page shows everything as ever, and the answers are the very ones that its buttons send.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.browser.players import Player

PLAY = """
async ({ amount, round, left, answers }) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const find = (id) => document.getElementById(id);
  const phase = () => find("version").dataset.phase;
  const version = () => find("version").dataset.version;
  const toast = () => find("toast").textContent.trim();
  const cards = () => Number(find("shoe").dataset.left);
  const number = () => Number(document.querySelector(".status-round b").textContent.replaceAll(",", ""));

  const questions = () => {
    if (phase() === "betting") {
      const boxes = all('.tray-box[data-answered="false"]').map((box) => box.dataset.ask);
      const asks = boxes.length ? boxes : all("#bet-form input[name=ask]").map((field) => field.value);
      return asks.map((ask) => ({ action: "bet", ask, amount: String(amount) }));
    }
    const offered = answers.map((answer) => find(`do-${answer}`));
    const button = offered.find((one) => one && !one.hasAttribute("aria-disabled"));
    return button ? [{ action: button.dataset.action, ask: button.form.elements.ask.value }] : [];
  };

  const old = toast();
  const until = async (happened, what) => {
    const end = performance.now() + 15000;
    while (!happened()) {
      if (toast() !== old || performance.now() > end) throw new Error(`${what}: ${toast()}`);
      await new Promise((resume) => setTimeout(resume, 5));
    }
  };

  // The server listens to ten answers a second from each socket.
  const address = `ws://${location.host}/ws/t/${find("table").dataset.code}/`;
  const sockets = Array.from({ length: 3 }, () => new WebSocket(address));
  try {
    await until(() => sockets.every((socket) => socket.readyState === WebSocket.OPEN), "connecting");
    while (phase() !== "betting" || (number() < round && !(cards() <= left))) {
      const asked = questions();
      const asks = asked.map((one) => one.ask);
      const before = version();
      for (const answer of asked) {
        sockets.push(sockets.shift());
        sockets[0].send(JSON.stringify(answer));
      }
      const answered = () => !questions().some((one) => asks.includes(one.ask));
      await until(() => (asked.length ? answered() : version() !== before), JSON.stringify(asked));
    }
  } finally {
    for (const socket of sockets) socket.close();
  }
}
"""


def play_quickly(
    player: Player,
    amount: int,
    *,
    until_round: int = 1_000_000,
    cards_left: int = -1,
    answers: Sequence[str] = ("decline", "stand"),
) -> None:
    """Bet on every box and give the first of `answers` that is offered, until the bets of that round are open
    or the shoe has no more than so many cards."""
    player.page.evaluate(
        PLAY, {"amount": amount, "round": until_round, "left": cards_left, "answers": list(answers)}
    )
