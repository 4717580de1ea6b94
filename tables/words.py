"""What codes and cards are called in the language of the reader."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

MINUS = "\N{MINUS SIGN}"
# Without the variation selector phones draw the suits as emoji.
AS_TEXT = "\N{VARIATION SELECTOR-15}"

FROM_THE_RIGHT = frozenset({"R", "AL", "AN", "RLE", "RLO", "RLI"})

SUIT_SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

SUITS = {
    "s": gettext_lazy("spades"),
    "h": gettext_lazy("hearts"),
    "d": gettext_lazy("diamonds"),
    "c": gettext_lazy("clubs"),
}

RANKS = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
}

OUTCOMES = {
    "blackjack": gettext_lazy("Blackjack"),
    "win": gettext_lazy("Win"),
    "charlie": gettext_lazy("Charlie"),
    "push": gettext_lazy("Push"),
    "lose": gettext_lazy("Lose"),
    "bust": gettext_lazy("Bust"),
    "surrender": gettext_lazy("Surrender"),
    "even_money": gettext_lazy("Even money"),
    "returned": gettext_lazy("Returned"),
    "resigned": gettext_lazy("Resigned"),
}

ACTIONS = {
    "hit": pgettext_lazy("action", "Hit"),
    "stand": pgettext_lazy("action", "Stand"),
    "double": pgettext_lazy("action", "Double"),
    "split": pgettext_lazy("action", "Split"),
    "surrender": pgettext_lazy("action", "Surrender"),
    "insure": pgettext_lazy("action", "Insure"),
    "even_money": pgettext_lazy("action", "Even money"),
    "decline": pgettext_lazy("action", "No, thanks"),
    "bet": pgettext_lazy("action", "Bet"),
    "take_back": pgettext_lazy("action", "Take back"),
    "sit_out": pgettext_lazy("action", "Sit out"),
    "follow": pgettext_lazy("action", "Follow"),
    "pass": pgettext_lazy("action", "No, thanks"),
    "done": pgettext_lazy("action", "Done"),
}


def chips(amount: int) -> str:
    return f"{amount:,}".replace("-", MINUS)


def signed(amount: int) -> str:
    return f"+{amount:,}" if amount > 0 else chips(amount)


def percent(share: float, digits: int = 2) -> str:
    return f"{share * 100:.{digits}f}\N{NO-BREAK SPACE}%"


def rank(letter: str) -> str:
    return "10" if letter == "T" else letter


def suit(letter: str) -> str:
    return SUIT_SIGNS[letter] + AS_TEXT


def with_box(name: str, number: int) -> str:
    """A player by one of several boxes."""
    return _("%(name)s, box %(box)s") % {"name": name, "box": number}


def isolated(name: str) -> str:
    """A name for the middle of a sentence: one that is written from the right turns nothing around it."""
    if any(unicodedata.bidirectional(character) in FROM_THE_RIGHT for character in name):
        return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
    return name


def card(rank_letter: str | None, suit_letter: str | None) -> str:
    if not rank_letter or not suit_letter:
        return _("face-down card")
    return _("%(rank)s of %(suit)s") % {
        "rank": RANKS.get(rank_letter, rank(rank_letter)),
        "suit": SUITS[suit_letter],
    }


def outcome(result: str, net: int | None) -> str:
    word = str(OUTCOMES.get(result, result))
    if net:
        return f"{word} {signed(net)}"
    return word


def action(name: str) -> str:
    return str(ACTIONS.get(name, name))


def refusal(code: str, params: Mapping[str, Any] | None = None) -> str:
    """The sentence for a refusal's code; a code without one of its own gets a general one."""
    sentence = REFUSALS.get(code)
    if sentence is None:
        return _("That is not possible right now.")
    figures = {
        name: chips(value) if isinstance(value, int) else value for name, value in (params or {}).items()
    }
    try:
        return str(sentence) % figures
    except KeyError:
        return str(BARE_REFUSALS[code])


def box(number: int) -> str:
    return _("Box %(number)s") % {"number": number}


def bets_behind(behind: Any) -> str:
    """What lies behind a box, an `engine.views.BehindView`: "50, pair 10", later "50, pair +110"."""
    bets = [chips(behind.bet)] if behind.bet else []
    several = has_several_bets(behind)
    for side, name in ((behind.pair, _("pair %(amount)s")), (behind.insurance, _("insurance %(amount)s"))):
        if side is not None and side.bet:
            # What a single one brought is told beside it.
            settled = several and side.paid is not None
            bets.append(name % {"amount": signed(side.paid - side.bet) if settled else chips(side.bet)})
    return ", ".join(bets)


def has_several_bets(behind: Any) -> bool:
    """Whether what it brought is the sum of several results."""
    return sum(bool(bet) for bet in (behind.bet, behind.pair, behind.insurance)) > 1


def open_behind(behind: Any) -> tuple[int, ...]:
    """The chips of it that are still undecided: of the hand, the pair and the insurance."""
    sides = [side for side in (behind.pair, behind.insurance) if side is not None and side.paid is None]
    return tuple(bet for bet in (behind.bet, *(side.bet for side in sides)) if bet)


@dataclass(frozen=True, slots=True)
class Voice:
    """How a log is told: `several` are the names with more than one box; who plays `alone` is not named."""

    several: frozenset[str] = frozenset()
    alone: bool = False


def log_line(line: Any, voice: Voice = Voice()) -> str:
    """One line of a round's log, an `engine.views.LogLine`."""
    figures = {
        "name": line.name,
        "box": str(line.seat),
        "hand": str(line.hand),
        "card": rank(line.rank) + suit(line.suit) if line.rank else "",
        "total": total(line.total, line.soft),
        "amount": chips(line.amount or 0),
        "net": signed(line.net or 0),
        "outcome": outcome(line.result, line.net) if line.result else "",
    }
    kind = "pair_lost" if line.kind == "pair" and not line.paid else line.kind
    if kind == "settled" and line.hands > 1:
        kind = "settled_hand"
    boxed = line.name in voice.several and line.seat and kind not in ABOUT_SOMEBODY
    # A line about no seat is about somebody who bets behind.
    if voice.alone and line.seat != 0 and kind in LOG_LINES_ALONE:
        said = str(LOG_LINES_ALONE[kind]) % figures
        if boxed and kind not in NAMING_THE_BOX:
            return _("Box %(box)s: %(said)s") % {"box": line.seat, "said": said}
        return said[:1].upper() + said[1:]
    if boxed:
        figures["name"] = with_box(line.name, line.seat)
    return str(LOG_LINES.get(kind, "")) % figures


def total(points: int | None, soft: bool = False) -> str:
    if points is None:
        return ""
    return pgettext("total", "soft %(points)d") % {"points": points} if soft else str(points)


LOG_LINES = {
    "settled": gettext_lazy("%(name)s: %(outcome)s"),
    "settled_hand": gettext_lazy("%(name)s, hand %(hand)s: %(outcome)s"),
    "card": gettext_lazy("%(name)s gets %(card)s: %(total)s"),
    "dealer_card": gettext_lazy("Dealer gets %(card)s: %(total)s"),
    "dealer_hole": gettext_lazy("Dealer takes a face-down card"),
    "hole_shown": gettext_lazy("Dealer turns over %(card)s: %(total)s"),
    "peeked": gettext_lazy("Dealer looks: no blackjack"),
    "peeked_blackjack": gettext_lazy("Dealer looks: blackjack"),
    "pair": gettext_lazy("%(name)s: pair %(net)s"),
    "pair_lost": gettext_lazy("%(name)s: no pair %(net)s"),
    "insured": gettext_lazy("%(name)s takes insurance for %(amount)s"),
    "declined": gettext_lazy("%(name)s says no, thanks"),
    "played_on": gettext_lazy("%(name)s plays on"),
    "insurance": gettext_lazy("%(name)s: insurance %(net)s"),
    "stood": gettext_lazy("%(name)s stands on %(total)s"),
    "doubled": gettext_lazy("%(name)s doubles to %(amount)s"),
    "split": gettext_lazy("%(name)s splits"),
    "time": gettext_lazy("%(name)s ran out of time"),
    "answered_for": gettext_lazy("The table answered for %(name)s"),
    "sat_out": gettext_lazy("%(name)s sits this one out"),
    "resigned": gettext_lazy("%(name)s resigned"),
    "eliminated": gettext_lazy("%(name)s is out of chips"),
    "draw_offered": gettext_lazy("%(name)s offers a draw"),
    "draw_refused": gettext_lazy("%(name)s plays on: no draw"),
    "draw_cancelled": gettext_lazy("%(name)s made a move: the draw offer is off"),
    "stopped_waiting": gettext_lazy("The table no longer waits for %(name)s"),
    "came_back": gettext_lazy("%(name)s is back"),
    "sat_down": gettext_lazy("%(name)s sits down"),
    "left": gettext_lazy("%(name)s leaves"),
    "idle": gettext_lazy("%(name)s let a round pass: the seat is free again"),
    "refilled": gettext_lazy("%(name)s gets a fresh stack"),
    "cut_card": gettext_lazy("The cut card has come: a new shoe after this round"),
    "discards": gettext_lazy("The shoe is empty: the discards are shuffled and dealt on"),
    "void_failure": gettext_lazy("The table broke off in mid-round. The round is void: every bet went back"),
    "void_staff": gettext_lazy("The staff made the round void: every bet went back"),
}
LOG_LINES_ALONE = {
    "settled": "%(outcome)s",
    "settled_hand": gettext_lazy("hand %(hand)s: %(outcome)s"),
    "card": gettext_lazy("%(card)s makes %(total)s"),
    "pair": gettext_lazy("pair %(net)s"),
    "pair_lost": gettext_lazy("no pair %(net)s"),
    "insured": gettext_lazy("insured for %(amount)s"),
    "declined": gettext_lazy("no, thanks"),
    "played_on": gettext_lazy("play on"),
    "insurance": gettext_lazy("insurance %(net)s"),
    "stood": gettext_lazy("stand on %(total)s"),
    "doubled": gettext_lazy("double to %(amount)s"),
    "split": gettext_lazy("split"),
    "sat_out": gettext_lazy("sits this one out"),
    "sat_down": gettext_lazy("box %(box)s is taken"),
    "left": gettext_lazy("box %(box)s is given up"),
    "refilled": gettext_lazy("a fresh stack"),
}
NAMING_THE_BOX = frozenset({"sat_down", "left"})
# Lines about a person, whichever of their boxes the note names.
ABOUT_SOMEBODY = frozenset({"refilled", "resigned", "eliminated", "stopped_waiting", "came_back"})

REFUSALS = {
    "alone_here": gettext_lazy("Here one plays alone. You are welcome to watch."),
    "already_agreed": gettext_lazy("You have already agreed."),
    "already_left": gettext_lazy("You have already left."),
    "already_seated": gettext_lazy("You already have a seat."),
    "already_sitting_out": gettext_lazy("You are sitting this one out."),
    "already_stopped_waiting": gettext_lazy("The table has already stopped waiting."),
    "amount_malformed": gettext_lazy("A bet is a whole number of chips."),
    "amount_missing": gettext_lazy("How many chips? Tap a chip or type a number."),
    "ask_malformed": gettext_lazy("The table did not understand that. Load the page again."),
    "bad_rounds": gettext_lazy("A match has 10, 20 or 30 rounds."),
    "bad_switch_value": gettext_lazy("Choose one from the list."),
    "bet_off_step": gettext_lazy("Bets go in steps of %(step)s."),
    "bet_too_large": gettext_lazy("The most you can bet is %(max)s."),
    "bet_too_small": gettext_lazy("The least you can bet is %(min)s."),
    "bets_closed": gettext_lazy("Bets are closed. Wait for the next round."),
    "box_has_no_bet": gettext_lazy("There is no bet on that seat."),
    "box_over_limit": gettext_lazy("All bets on one box, its player's among them, may be %(max)s together."),
    "done_betting": gettext_lazy("You have said that you are done. Wait for the next round."),
    "double_first_two_cards": gettext_lazy("Double only on the first two cards."),
    "double_not_on_this": gettext_lazy("This hand can not be doubled at this table."),
    "frame_too_big": gettext_lazy("That was too much at once."),
    "game_is_new": gettext_lazy("This game has only just begun."),
    "insurance_amount": gettext_lazy("Insurance is from %(min)s to %(max)s here."),
    "kind_not_played": gettext_lazy("This game has no open table. Play a match, or choose another game."),
    "limit_off_step": gettext_lazy("That is no multiple of the step, %(step)s."),
    "malformed": gettext_lazy("The table did not understand that. Load the page again."),
    "match_needs_boxes": gettext_lazy("A match needs at least %(min)s boxes."),
    "match_not_over": gettext_lazy("The match is not over yet."),
    "match_running": gettext_lazy("A match is running. Wait until it ends."),
    "min_over_max": gettext_lazy("The least bet is over the highest bet, %(max)s."),
    "name_needed": gettext_lazy("Choose a nickname first."),
    "nickname_characters": gettext_lazy("Some of these characters can not be in a nickname."),
    "nickname_empty": gettext_lazy("A nickname needs at least one letter or digit."),
    "nickname_long": gettext_lazy("A nickname has at most %(most)s characters."),
    "nickname_taken": gettext_lazy("Somebody at this table already has that nickname."),
    "no_backing": gettext_lazy("No bets behind at this table."),
    "no_bets": gettext_lazy("No bets can be placed now."),
    "no_cards_yet": gettext_lazy("The cards are not dealt yet."),
    "no_clock": gettext_lazy("There is no clock at this table."),
    "no_double_after_split": gettext_lazy("No doubling after a split at this table."),
    "no_match": gettext_lazy("No match is running."),
    "no_offer": gettext_lazy("There is no draw offer to answer."),
    "no_pair_bets": gettext_lazy("No pair bets at this table."),
    "no_resplitting_aces": gettext_lazy("Aces are split only once."),
    "no_round": gettext_lazy("No cards are on the table."),
    "no_splitting_aces": gettext_lazy("Aces can not be split at this table."),
    "no_such_seat": gettext_lazy("There is no such seat."),
    "no_such_table": gettext_lazy("There is no such table."),
    "no_surrender": gettext_lazy("No surrender at this table."),
    "no_surrender_against_ace_ten": gettext_lazy("No surrender against an ace or a ten."),
    "nobody_to_play_with": gettext_lazy("Wait for at least one friend to sit down."),
    "not_a_match": gettext_lazy("That is for matches only."),
    "not_a_pair": gettext_lazy("Only two cards of the same value can be split."),
    "not_all_ready": gettext_lazy("Wait until everyone is ready."),
    "not_alone": gettext_lazy("Only a table of one's own begins anew."),
    "not_asked": gettext_lazy("Nothing to answer here right now."),
    "not_away": gettext_lazy("That player is here."),
    "not_away_long": gettext_lazy("Give that player two minutes to come back."),
    "not_enough_chips": gettext_lazy("Not enough chips: need %(need)s, you have %(have)s."),
    "not_host": gettext_lazy("Only the host can do that."),
    "not_in_lobby": gettext_lazy("Settings change in the lobby, before the match."),
    "not_in_match": gettext_lazy("You are not in this match."),
    "not_seated": gettext_lazy("Take a seat first."),
    "not_your_turn": gettext_lazy("It is not your turn."),
    "nothing_bet": gettext_lazy("Bet on one of your boxes first."),
    "nothing_to_take_back": gettext_lazy("There is no bet to take back."),
    "offer_open": gettext_lazy("There is a draw offer already."),
    "offered_this_round": gettext_lazy("You have offered a draw this round. Try again in the next."),
    "open_table_needs_clock": gettext_lazy("An open table needs a clock: choose the seconds."),
    "own_box": gettext_lazy("That is your own box. Bet behind somebody else."),
    "own_box_first": gettext_lazy("Your own box is asked first."),
    "own_seat": gettext_lazy("That is your own seat."),
    "pair_too_large": gettext_lazy("The most for a pair bet is %(max)s."),
    "pair_too_small": gettext_lazy("The least for a pair bet is %(min)s."),
    "players_may_not_back": gettext_lazy("Who plays does not bet behind others at this table."),
    "round_running": gettext_lazy("Cards are on the table: take a seat after this round."),
    "round_settled": gettext_lazy("The round is over."),
    "seat_empty": gettext_lazy("Nobody sits there."),
    "seat_taken": gettext_lazy("Somebody was quicker: that seat is taken."),
    "shoe_too_small": gettext_lazy(
        "This could run out of cards: take more decks, fewer boxes or fewer hands."
    ),
    "split_ace_one_card": gettext_lazy("A split ace gets one card only."),
    "stack_under_minimum": gettext_lazy("That is too little to bet even once: at least %(min)s."),
    "stale_game": gettext_lazy("That was about an earlier match. Look at the table again."),
    "stale_offer": gettext_lazy("That draw offer is no longer open."),
    "stale_question": gettext_lazy("The table has moved on. Look again."),
    "surrender_closed": gettext_lazy("It is too late to surrender."),
    "surrender_first_two_cards": gettext_lazy("Surrender only with the first two cards."),
    "switch_malformed": gettext_lazy("Type a whole number, such as 500."),
    "switch_out_of_range": gettext_lazy("From %(min)s to %(max)s, please."),
    "switch_too_small": gettext_lazy("At least %(min)s, please."),
    "table_full": gettext_lazy("All seats are taken. You are welcome to watch."),
    "too_fast": gettext_lazy("Too fast. Take a breath and try again."),
    "too_many_boxes": gettext_lazy("One player may have at most %(max)s boxes here."),
    "too_many_guesses": gettext_lazy("Too many tries from your address. Wait a minute."),
    "too_many_hands": gettext_lazy("One box can have at most %(max)s hands."),
    "unknown_action": gettext_lazy("The table did not understand that. Load the page again."),
    "unknown_field": gettext_lazy("The table did not understand that. Load the page again."),
    "unknown_preset": gettext_lazy("There is no game of that name."),
    "unknown_switch": gettext_lazy("This page does not know one of these rules. Load it again."),
    "wrong_answer": gettext_lazy("That is no answer to this question."),
}

# The same without figures, where a refusal comes without them.
BARE_REFUSALS = {
    "bet_off_step": gettext_lazy("That is no step of the bets at this table."),
    "bet_too_large": gettext_lazy("That is too much for one bet."),
    "bet_too_small": gettext_lazy("That is too little for a bet."),
    "box_over_limit": gettext_lazy("That is too much on one box."),
    "insurance_amount": gettext_lazy("That is no possible insurance."),
    "limit_off_step": gettext_lazy("That is no multiple of the step."),
    "match_needs_boxes": gettext_lazy("A match needs more boxes."),
    "min_over_max": gettext_lazy("The least bet is over the highest bet."),
    "nickname_long": gettext_lazy("That nickname is too long."),
    "not_enough_chips": gettext_lazy("Not enough chips."),
    "pair_too_large": gettext_lazy("That is too much for a pair bet."),
    "pair_too_small": gettext_lazy("That is too little for a pair bet."),
    "stack_under_minimum": gettext_lazy("That is too little to bet even once."),
    "switch_out_of_range": gettext_lazy("That is too much or too little."),
    "switch_too_small": gettext_lazy("That is too little."),
    "too_many_boxes": gettext_lazy("You have as many boxes as one player may."),
    "too_many_hands": gettext_lazy("This box has as many hands as it may."),
}
