"""What may be done at a table now: every check that an action must pass before it changes anything.

Each of them raises `IllegalAction` with a code and changes nothing, so that a button can be asked for its
reason before it is pressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from engine import actions
from engine import round as rounds
from engine.actions import Move
from engine.bets import check_box, check_main, check_pair, half
from engine.errors import IllegalAction, InvalidRules
from engine.round import Asked, Question
from engine.rules import BoxLimit, Rules
from engine.table import MATCH_ROUNDS, Backer, Game, Kind, Phase, Seat, Status


def check_settings(rules: Rules, match_rounds: int, kind: Kind = Kind.MATCH) -> None:
    """Refuse settings that a table can not be played with; raises `IllegalAction` or `InvalidRules`."""
    if kind is Kind.MATCH and match_rounds not in MATCH_ROUNDS:
        raise IllegalAction("bad_rounds", rounds=match_rounds)
    if kind is Kind.MATCH and rules.boxes < 2:
        raise InvalidRules("match_needs_boxes", switch="boxes", value=rules.boxes, min=2)
    if rules.starting_chips < rules.min_bet:
        raise InvalidRules("stack_under_minimum", switch="starting_chips", min=rules.min_bet)
    if kind is Kind.OPEN:
        for switch in ("bet_seconds", "decision_seconds"):
            if getattr(rules, switch) is None:
                raise InvalidRules("open_table_needs_clock", switch=switch)


def check_may_back(game: Game, player: str) -> None:
    """Refuse who may not bet behind anybody now; raises `IllegalAction`."""
    if not game.rules.backing:
        raise IllegalAction("no_backing")
    if game.phase is not Phase.BETTING:
        raise IllegalAction("bets_closed")
    if game.seats_to_back_from(player) and not game.rules.players_may_back:
        raise IllegalAction("players_may_not_back")
    backer = game.backer(player)
    if backer is not None and backer.done:
        raise IllegalAction("done_betting")


def check_back(game: Game, player: str, box: int, bet: int, pair: int) -> None:
    """Refuse bets (chips) that `player` may not lay behind `box`; raises `IllegalAction`."""
    check_may_back(game, player)
    in_window(game, player).check(box, bet, pair)


@dataclass(frozen=True, slots=True)
class InWindow:
    """Somebody who may bet behind others in the open window.

    `chips` may still be laid; `behind` is what lies behind each box where a box has one limit for all bets.
    """

    game: Game
    player: str
    backer: Backer | None
    chips: int
    behind: Mapping[int, int]

    def on(self, box: int) -> int:
        """Chips that the person has on that box already, which a new bet replaces."""
        before = self.backer.on(box) if self.backer else None
        return before.bet + before.pair if before else 0

    def room(self, seat: Seat) -> int:
        """The most that a shared limit leaves for the bets of this person behind `seat`.

        The box is its seat's before all: there is always room for the least bet.
        """
        rules = self.game.rules
        others = self.behind.get(seat.number, 0) - self.on(seat.number)
        return rules.max_bet - max(seat.laid, rules.min_bet) - others

    def check(self, box: int, bet: int, pair: int) -> None:
        """Refuse bets (chips) that may not be laid behind `box`; raises `IllegalAction`."""
        rules, seat = self.game.rules, self.game.seat(box)
        if seat is None or seat.status is not Status.IN or seat.gone:
            raise IllegalAction("seat_empty", seat=box)
        if seat.player == self.player:
            raise IllegalAction("own_box", box=box)
        if not bet and not pair:
            return
        if bet:
            check_main(rules, bet)
        if pair:
            check_pair(rules, pair)
        check_box(rules, box, rules.max_bet - self.room(seat) + bet + pair)
        have = self.chips + self.on(box)
        if bet + pair > have:
            raise IllegalAction("not_enough_chips", need=bet + pair, have=have)


def in_window(game: Game, player: str) -> InWindow:
    """`player` as somebody who bets behind others; whether that is allowed at all is not looked at."""
    purse = game.backing_purse_of(player)
    return InWindow(
        game,
        player,
        game.backer(player),
        purse.chips - game.laid_by(purse.stack) if purse else game.rules.starting_chips,
        game.laid_behind() if game.rules.box_limit is BoxLimit.SHARED else {},
    )


def check_answer_behind(game: Game, question: Question, move: Move) -> None:
    """Refuse an answer of a backer; raises `IllegalAction`.

    Who plays a box too and lacks the chips for everything answers about the own box first, where everybody
    sees the answer: otherwise the own question would tell what was answered behind another's box.
    """
    state = game.round
    assert state is not None
    rounds.check(state, move)
    if not isinstance(move, actions.Insure | actions.EvenMoney):
        return
    own = [
        one
        for one in state.questions
        if one.stack == question.stack and one.backer is None and one.asked is Asked.INSURANCE
    ]
    need = sum(half(state.box(one.box).hands[0].bet) for one in own)
    left = state.chips[question.stack]
    if isinstance(move, actions.Insure):
        left -= rounds.insurance_limit(state, question) if move.amount is None else move.amount
    if own and left < need:
        raise IllegalAction("own_box_first", box=own[0].box)


def check_bet(game: Game, seat: Seat, amount: int, pair: int = 0) -> None:
    """Refuse a bet (chips) that `seat` may not lay; raises `IllegalAction`."""
    check_main(game.rules, amount)
    if pair:
        check_pair(game.rules, pair)
    check_box(game.rules, seat.number, amount + pair + game.laid_behind().get(seat.number, 0))
    have = game.free_chips_of(seat) + seat.laid
    if amount + pair > have:
        raise IllegalAction("not_enough_chips", need=amount + pair, have=have)


def check_deal(game: Game, player: str) -> None:
    """Refuse to sit the rest of the boxes of `player` out: only where a bet lies on one of them; raises
    `IllegalAction`."""
    seat_in_match(game, player)
    own = game.seats_of(player)
    if game.phase is not Phase.BETTING:
        raise IllegalAction("stale_question")
    if not any(seat.bet for seat in own):
        raise IllegalAction("nothing_bet")
    if all(seat.answered for seat in own):
        raise IllegalAction("stale_question")


def check_sit(game: Game, player: str) -> None:
    """Refuse a seat to `player`: between rounds or before a match only, and not too many; raises
    `IllegalAction`."""
    if game.kind is Kind.SOLO and player != game.host:
        raise IllegalAction("alone_here")
    if game.kind is Kind.MATCH and game.in_match:
        raise IllegalAction("match_running")
    held = len(game.seats_of(player))
    if held >= game.seats_a_player:
        if game.seats_a_player == 1:
            raise IllegalAction("already_seated")
        raise IllegalAction("too_many_boxes", max=game.seats_a_player)
    if game.phase is Phase.PLAYING:
        raise IllegalAction("round_running")
    if len(game.seats) >= game.seat_limit:
        raise IllegalAction("table_full")


def check_start(game: Game, player: str) -> None:
    """Refuse to start: only the host, with at least two seats taken and everybody else ready."""
    if game.kind is not Kind.MATCH:
        raise IllegalAction("not_a_match")
    if player != game.host:
        raise IllegalAction("not_host")
    if game.in_match:
        raise IllegalAction("match_running")
    if len(game.seats) < 2:
        raise IllegalAction("nobody_to_play_with")
    waiting = tuple(seat.number for seat in game.seats if not seat.ready and seat.player != player)
    if waiting:
        raise IllegalAction("not_all_ready", seats=waiting)


def check_offer_draw(game: Game, player: str) -> Seat:
    """Refuse a draw offer: once a round each, one at a time; raises `IllegalAction`."""
    if game.kind is not Kind.MATCH:
        raise IllegalAction("not_a_match")
    seat = seat_in_match(game, player)
    if game.offer is not None:
        raise IllegalAction("offer_open")
    if seat.offered_draw:
        raise IllegalAction("offered_this_round")
    return seat


def seat_in_match(game: Game, player: str) -> Seat:
    """The seat of somebody who still plays in a running match; raises `IllegalAction`."""
    if not game.in_match:
        raise IllegalAction("no_match")
    seat = game.seat_of(player)
    if seat is None:
        raise IllegalAction("not_seated")
    if seat.status is not Status.IN:
        raise IllegalAction("not_in_match", status=seat.status.value)
    return seat
