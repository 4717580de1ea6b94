"""Rounds in sequence with seats and chips: a table from its lobby to the result of a match and the next one.

`open_table` begins, `apply` is the one transition. Everything arrives as an action, time included; fresh
seeds are handed in, so that the same actions with the same seeds give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from engine import actions
from engine import round as rounds
from engine.actions import Move, TableAction
from engine.bets import check_main, check_pair
from engine.errors import IllegalAction, InvalidRules
from engine.record import Record
from engine.round import Asked, Question, Round
from engine.rules import OnFailure, Rules, Shuffle
from engine.shoe import SEED_BYTES, commitment

MATCH_ROUNDS = (10, 20, 30)
MATCH_SEATS = 4


class Phase(Enum):
    LOBBY = "lobby"
    BETTING = "betting"
    PLAYING = "playing"
    OVER = "over"


class Kind(Enum):
    MATCH = "match"


class Status(Enum):
    """What a seat is to the running match."""

    WAITING = "waiting"
    IN = "in"
    OUT = "out"
    RESIGNED = "resigned"


class Reason(Enum):
    """Why a match ended."""

    ROUNDS = "rounds"
    LAST_LEFT = "last_left"
    ALL_OUT = "all_out"
    AGREED_DRAW = "agreed_draw"
    ABANDONED = "abandoned"


class NoteKind(Enum):
    """What people did beside the cards, for the log."""

    SAT_OUT = "sat_out"
    RESIGNED = "resigned"
    ELIMINATED = "eliminated"
    DRAW_OFFERED = "draw_offered"
    DRAW_REFUSED = "draw_refused"
    DRAW_CANCELLED = "draw_cancelled"
    STOPPED_WAITING = "stopped_waiting"
    CAME_BACK = "came_back"


@dataclass(frozen=True, slots=True)
class Note:
    """Something beside the cards, in round `round`, after so many events of it."""

    round: int
    after: int
    kind: NoteKind
    seat: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that somebody holds. `chips` is what it has between rounds; `since` orders who sat down first.

    In the betting, `ask` numbers the seat's question, `bet` and `sitting_out` are its answer. `fell` is the
    round before which it was out, or in which it resigned.
    """

    number: int
    player: str
    name: str
    since: int
    status: Status = Status.WAITING
    ready: bool = False
    chips: int = 0
    ask: int = 0
    bet: int = 0
    pair: int = 0
    sitting_out: bool = False
    last_bet: int = 0
    offered_draw: bool = False
    auto: bool = False
    gone: bool = False
    fell: int = 0

    @property
    def answered(self) -> bool:
        """It has bet or sits the round out."""
        return self.bet > 0 or self.sitting_out

    @property
    def stack(self) -> str:
        """The name of its stack in a round."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Offer:
    """A draw offered by a seat; `accepted` are the seats that agree, the offering one first."""

    id: str
    seat: int
    accepted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody ended."""

    seat: int
    player: str
    name: str
    chips: int
    place: int
    status: Status


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended; `winner` is a seat, None for a draw or for nobody."""

    reason: Reason
    winner: int | None
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """Matches won at this table."""

    player: str
    name: str
    wins: int


@dataclass(frozen=True, slots=True)
class Game:
    """A table at rest.

    `round` and `record` are those of the running round, or of the last one while the next bets are laid.
    `number` counts the matches of the table; in the first lobby it is 0. `seed` fixes the coming or running
    shoe and must reach nobody; `published` is the last finished round's number and seed.
    """

    rules: Rules
    rounds: int
    host: str | None
    kind: Kind = Kind.MATCH
    number: int = 0
    phase: Phase = Phase.LOBBY
    seats: tuple[Seat, ...] = ()
    sat_down: int = 0
    round_number: int = 0
    seed: bytes | None = None
    published: tuple[int, bytes] | None = None
    record: Record | None = None
    round: Round | None = None
    asked: int = 0
    offers: int = 0
    offer: Offer | None = None
    notes: tuple[Note, ...] = ()
    result: Result | None = None
    score: tuple[Score, ...] = ()
    draws: int = 0

    @property
    def commitment(self) -> str | None:
        """The hash of the coming or running shoe's seed."""
        return None if self.seed is None else commitment(self.seed)

    @property
    def in_match(self) -> bool:
        """A match is running."""
        return self.phase in (Phase.BETTING, Phase.PLAYING)

    @property
    def seats_in(self) -> tuple[Seat, ...]:
        """The seats that still play for the match."""
        return tuple(seat for seat in self.seats if seat.status is Status.IN)

    @property
    def seat_limit(self) -> int:
        """How many may sit."""
        return min(MATCH_SEATS, self.rules.boxes)

    def seat_of(self, player: str) -> Seat | None:
        """The seat that `player` holds."""
        return next((seat for seat in self.seats if seat.player == player), None)

    def seat(self, number: int) -> Seat | None:
        """The seat with that number, if somebody holds it."""
        return next((seat for seat in self.seats if seat.number == number), None)


# What happened to the game, for who keeps it. What happened in a round is in `Round.events`.


@dataclass(frozen=True, slots=True)
class GameStarted:
    number: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A round ended. `round` is None when everybody sat it out; `chips` is what each seat holds now."""

    record: Record
    round: Round | None
    chips: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class GameOver:
    number: int
    result: Result


GameEvent = GameStarted | RoundFinished | GameOver


def open_table(rules: Rules, match_rounds: int, host: str, name: str) -> Game:
    """A new table in its lobby, with `host` on the first seat; raises `EngineError`."""
    check_settings(rules, match_rounds)
    game = Game(rules=rules, rounds=match_rounds, host=host)
    return apply(game, actions.Sit(host, 1, name), bytes(SEED_BYTES))[0]


def check_settings(rules: Rules, match_rounds: int) -> None:
    """Refuse settings that a match can not be played with; raises `IllegalAction` or `InvalidRules`."""
    if match_rounds not in MATCH_ROUNDS:
        raise IllegalAction("bad_rounds", rounds=match_rounds)
    if rules.starting_chips < rules.min_bet:
        raise InvalidRules("stack_under_minimum", switch="starting_chips", min=rules.min_bet)
    for switch, acts in (
        ("shuffle", rules.shuffle is Shuffle.EVERY_ROUND),
        ("on_failure", rules.on_failure is OnFailure.RESUME),
    ):
        if not acts:
            raise InvalidRules("switch_not_supported", switch=switch, value=rules.to_json()[switch])


def apply(game: Game, action: TableAction, seed: bytes) -> tuple[Game, tuple[GameEvent, ...]]:
    """The game after `action`, and what happened to it.

    `seed` is `SEED_BYTES` fresh bytes of secure chance, used only when this step opens a new shoe. Raises
    `IllegalAction` (or another `EngineError`) for what is not allowed; the game is then as it was.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    step = _Step(game, seed)
    step.take(action)
    return step.game, tuple(step.happened)


def clock_window(game: Game) -> tuple[str | None, int | None]:
    """What the clock runs for, and its seconds (None: off).

    A new clock starts exactly when the first value changes.
    """
    at = f"{game.number}.{game.round_number}"
    if game.phase is Phase.BETTING:
        return f"{at} bets", game.rules.bet_seconds
    if game.phase is not Phase.PLAYING or game.round is None:
        return None, None
    match game.round.phase:
        case rounds.Phase.INSURANCE | rounds.Phase.SURRENDER:
            return f"{at} {game.round.phase.value}", game.rules.decision_seconds
        case rounds.Phase.FOLLOW:
            return f"{at} follow {game.round.asked}", game.rules.backer_seconds
        case _:
            return f"{at} turn {game.round.asked}", game.rules.decision_seconds


def ask_id(game: Game, number: int) -> str:
    """The id of a question of the present round, such as ``"7.112"``; no number comes twice at a table."""
    return f"{game.round_number}.{number}"


def questions_of(game: Game, seat: Seat) -> tuple[Question, ...]:
    """The open questions of the running round that `seat` has to answer."""
    if game.phase is not Phase.PLAYING or game.round is None or seat.status is not Status.IN:
        return ()
    return tuple(q for q in game.round.questions if q.stack == seat.stack and q.backer is None)


def check_bet(game: Game, seat: Seat, amount: int, pair: int = 0) -> None:
    """Refuse a bet (chips) that `seat` may not lay; raises `IllegalAction`."""
    check_main(game.rules, amount)
    if pair:
        check_pair(game.rules, pair)
    if amount + pair > seat.chips:
        raise IllegalAction("not_enough_chips", need=amount + pair, have=seat.chips)


def check_start(game: Game, player: str) -> None:
    """Refuse to start: only the host, with at least two seats taken and everybody else ready."""
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
    seat = _seat_in_match(game, player)
    if game.offer is not None:
        raise IllegalAction("offer_open")
    if seat.offered_draw:
        raise IllegalAction("offered_this_round")
    return seat


def _seat_in_match(game: Game, player: str) -> Seat:
    if not game.in_match:
        raise IllegalAction("no_match")
    seat = game.seat_of(player)
    if seat is None:
        raise IllegalAction("not_seated")
    if seat.status is not Status.IN:
        raise IllegalAction("not_in_match", status=seat.status.value)
    return seat


def open_stakes(state: Round, stack: str) -> int:
    """Chips of `stack` that still lie on the table undecided."""
    open_chips = 0
    for box in state.boxes:
        for hand in box.hands:
            open_chips += sum(s.bet for s in hand.stakes if s.stack == stack and s.paid is None)
        sides = [box.insurance, box.pair] if box.stack == stack else []
        for backer in box.backers:
            if backer.stack == stack:
                sides += [backer.insurance, backer.pair]
        open_chips += sum(side.bet for side in sides if side is not None and side.paid is None)
    return open_chips


@dataclass
class _Step:
    """One step of a game: the game so far and what has happened in the step."""

    game: Game
    seed: bytes
    happened: list[GameEvent] = field(default_factory=list)

    def take(self, action: TableAction) -> None:
        handlers: Mapping[type[TableAction], Callable[[Any], None]] = {
            actions.Sit: self.sit,
            actions.Leave: self.leave,
            actions.Ready: self.ready,
            actions.Start: self.start,
            actions.Remove: self.remove,
            actions.Configure: self.configure,
            actions.BackToLobby: self.back_to_lobby,
            actions.Bet: self.bet,
            actions.TakeBack: self.take_back,
            actions.SitOut: self.sit_out,
            actions.Answer: self.answer,
            actions.Resign: self.resign,
            actions.OfferDraw: self.offer_draw,
            actions.AcceptDraw: self.accept_draw,
            actions.RefuseDraw: self.refuse_draw,
            actions.StopWaiting: self.stop_waiting,
            actions.ComeBack: self.come_back,
            actions.PassHost: self.pass_host,
            actions.Abandon: self.abandon,
            actions.Expire: self.expire,
        }
        handlers[type(action)](action)

    # The lobby

    def sit(self, action: actions.Sit) -> None:
        game = self.game
        if game.in_match:
            raise IllegalAction("match_running")
        if not 1 <= action.seat <= game.seat_limit:
            raise IllegalAction("no_such_seat", seat=action.seat)
        if game.seat(action.seat) is not None:
            raise IllegalAction("seat_taken", seat=action.seat)
        if game.seat_of(action.player) is not None:
            raise IllegalAction("already_seated")
        seat = Seat(action.seat, action.player, action.name, since=game.sat_down + 1)
        seats = tuple(sorted((*game.seats, seat), key=lambda one: one.number))
        # Who sits first at an empty table takes over from a host who does not sit.
        host = game.host if game.seats and game.host else action.player
        self.game = replace(game, seats=seats, sat_down=seat.since, host=host)

    def leave(self, action: actions.Leave) -> None:
        seat = self.game.seat_of(action.player)
        if seat is None:
            raise IllegalAction("not_seated")
        if not self.game.in_match:
            self.free(seat)
            return
        if seat.gone:
            raise IllegalAction("already_left")
        self.change(seat, gone=True)
        self.pass_host_from(seat.player)
        if seat.status is Status.IN:
            self.resign(actions.Resign(action.player))

    def ready(self, action: actions.Ready) -> None:
        if self.game.in_match:
            raise IllegalAction("match_running")
        seat = self.game.seat_of(action.player)
        if seat is None:
            raise IllegalAction("not_seated")
        self.change(seat, ready=action.ready)

    def remove(self, action: actions.Remove) -> None:
        if action.player != self.game.host:
            raise IllegalAction("not_host")
        if self.game.in_match:
            raise IllegalAction("match_running")
        seat = self.game.seat(action.seat)
        if seat is None:
            raise IllegalAction("seat_empty", seat=action.seat)
        if seat.player == action.player:
            raise IllegalAction("own_seat")
        self.free(seat)

    def configure(self, action: actions.Configure) -> None:
        if action.player != self.game.host:
            raise IllegalAction("not_host")
        if self.game.phase is not Phase.LOBBY:
            raise IllegalAction("not_in_lobby")
        check_settings(action.rules, action.rounds)
        if any(seat.number > min(MATCH_SEATS, action.rules.boxes) for seat in self.game.seats):
            raise IllegalAction("too_few_seats")
        self.game = replace(
            self.game,
            rules=action.rules,
            rounds=action.rounds,
            seats=tuple(replace(seat, ready=False) for seat in self.game.seats),
        )

    def back_to_lobby(self, action: actions.BackToLobby) -> None:
        if action.player != self.game.host:
            raise IllegalAction("not_host")
        if self.game.phase is not Phase.OVER:
            raise IllegalAction("match_not_over")
        self.game = replace(
            self.game,
            phase=Phase.LOBBY,
            round=None,
            record=None,
            notes=(),
            round_number=0,
            result=None,
            seats=tuple(replace(seat, ready=False, status=Status.WAITING) for seat in self.game.seats),
        )

    def start(self, action: actions.Start) -> None:
        check_start(self.game, action.player)
        game = self.game
        self.game = replace(
            game,
            number=game.number + 1,
            round_number=0,
            round=None,
            record=None,
            published=None,
            result=None,
            notes=(),
            seats=tuple(
                Seat(
                    seat.number,
                    seat.player,
                    seat.name,
                    seat.since,
                    status=Status.IN,
                    chips=game.rules.starting_chips,
                )
                for seat in game.seats
            ),
        )
        self.happened.append(GameStarted(self.game.number))
        self.open_betting()

    # Bets

    def open_betting(self) -> None:
        """Open the bets of the next round, or end the match where there is none."""
        game = self.game
        if game.round_number >= game.rounds:
            self.finish(Reason.ROUNDS, game.seats_in)
            return
        number = game.round_number + 1
        fallen = [seat for seat in game.seats_in if seat.chips < game.rules.min_bet]
        candidates = game.seats_in
        for seat in fallen:
            self.change(seat, status=Status.OUT, fell=number)
            self.note(NoteKind.ELIMINATED, seat.number)
            if game.offer is not None and game.offer.seat == seat.number:
                self.cancel_offer(seat)
        left = self.game.seats_in
        if len(left) < 2:
            self.finish(Reason.LAST_LEFT if left else Reason.ALL_OUT, left or candidates)
            return
        if self.all_agree():
            self.finish(Reason.AGREED_DRAW, ())
            return
        asked = self.game.asked
        seats = []
        for seat in self.game.seats:
            if seat.status is Status.IN:
                asked += 1
                seat = replace(seat, ask=asked, bet=0, pair=0, sitting_out=False, offered_draw=False)
            seats.append(seat)
        self.game = replace(
            self.game,
            phase=Phase.BETTING,
            round_number=number,
            seed=self.seed,
            seats=tuple(seats),
            asked=asked,
        )
        self.answer_for_absent()

    def betting_seat(self, player: str, ask: str) -> Seat:
        seat = _seat_in_match(self.game, player)
        if self.game.phase is not Phase.BETTING or ask != ask_id(self.game, seat.ask):
            raise IllegalAction("stale_question")
        return seat

    def bet(self, action: actions.Bet) -> None:
        seat = self.betting_seat(action.player, action.ask)
        check_bet(self.game, seat, action.amount, action.pair)
        self.lay(seat, bet=action.amount, pair=action.pair, sitting_out=False, last_bet=action.amount)

    def take_back(self, action: actions.TakeBack) -> None:
        seat = self.betting_seat(action.player, action.ask)
        if not seat.answered:
            raise IllegalAction("nothing_to_take_back")
        self.lay(seat, bet=0, pair=0, sitting_out=False)

    def sit_out(self, action: actions.SitOut) -> None:
        seat = self.betting_seat(action.player, action.ask)
        if seat.sitting_out:
            raise IllegalAction("already_sitting_out")
        self.lay(seat, bet=0, pair=0, sitting_out=True)

    def lay(self, seat: Seat, **answer: Any) -> None:
        self.game = replace(self.game, asked=self.game.asked + 1)
        self.change(seat, ask=self.game.asked, **answer)
        self.moved_instead(seat)
        self.deal_when_all_answered()

    def deal_when_all_answered(self) -> None:
        if all(seat.answered for seat in self.game.seats_in):
            self.deal()

    def deal(self) -> None:
        game = self.game
        assert game.seed is not None
        betting = [seat for seat in game.seats_in if seat.bet]
        sat_out = tuple(seat.number for seat in game.seats_in if not seat.bet)
        record = Record(
            number=game.round_number,
            seed=game.seed,
            bets={seat.number: seat.bet for seat in betting},
            pairs={seat.number: seat.pair for seat in betting if seat.pair},
            chips={seat.stack: seat.chips for seat in betting},
            sat_out=sat_out,
            first_question=game.asked + 1,
        )
        self.game = replace(
            game,
            phase=Phase.PLAYING,
            record=record,
            round=record.deal(game.rules),
            notes=tuple(replace(n, after=0) for n in game.notes if n.round == game.round_number),
        )
        for number in sat_out:
            self.note(NoteKind.SAT_OUT, number)
        self.carry_on()

    # The round

    def answer(self, action: actions.Answer) -> None:
        game = self.game
        seat = _seat_in_match(game, action.player)
        question = next((q for q in questions_of(game, seat) if action.ask == ask_id(game, q.number)), None)
        if question is None:
            raise IllegalAction("stale_question")
        if isinstance(action.move, actions.Expire) or getattr(action.move, "backer", None) is not None:
            raise IllegalAction("not_an_answer")
        if action.move.box != question.box:
            raise IllegalAction("stale_question")
        self.play(action.move)
        self.moved_instead(seat)
        self.carry_on()

    def play(self, move: Move) -> None:
        assert self.game.round is not None
        self.game = replace(self.game, round=rounds.apply(self.game.round, move))

    def carry_on(self) -> None:
        """Answer for those who do not answer any more, and close the round when it is settled."""
        while (state := self.game.round) is not None and not state.settled:
            answer = next(filter(None, map(self.absent_answer, state.questions)), None)
            if answer is None:
                return
            seat, move = answer
            self.play(move)
            self.moved_instead(seat)
        self.close_round()

    def absent_answer(self, question: Question) -> tuple[Seat, Move] | None:
        seat = self.game.seat(question.box)
        if seat is None or question.backer is not None:
            return None
        resigned = seat.status is Status.RESIGNED
        if not resigned and not (seat.auto and self.somebody_present()):
            return None
        if question.asked is not Asked.TURN:
            return seat, actions.Decline(question.box)
        return seat, actions.Stand(question.box) if resigned else actions.Expire()

    def somebody_present(self) -> bool:
        """Somebody in the match still answers; where nobody does the table waits rather than play alone."""
        return any(not seat.auto for seat in self.game.seats_in)

    def close_round(self, broken_off: bool = False) -> None:
        game = self.game
        assert game.record is not None
        state = game.round
        moves = state.moves if state else ()
        record = replace(game.record, moves=moves, broken_off=broken_off)
        seats = []
        for seat in game.seats:
            if state and seat.stack in state.chips and seat.status is Status.IN:
                back = open_stakes(state, seat.stack) if broken_off else 0
                seat = replace(seat, chips=state.chips[seat.stack] + back)
            seats.append(replace(seat, bet=0, pair=0, sitting_out=False))
        self.game = replace(
            game,
            seats=tuple(seats),
            record=record,
            published=(record.number, record.seed),
            seed=None,
            asked=state.asked if state else game.asked,
        )
        chips = {seat.number: seat.chips for seat in seats}
        self.happened.append(RoundFinished(record, state, chips))
        if not broken_off:
            self.open_betting()

    def expire(self, action: actions.Expire) -> None:
        _, seconds = clock_window(self.game)
        if seconds is None:
            raise IllegalAction("no_clock")
        if self.game.phase is Phase.BETTING:
            for seat in self.game.seats_in:
                if not seat.answered:
                    self.change(seat, sitting_out=True)
                    self.moved_instead(seat)
            self.deal()
        else:
            asked = [seat for seat in self.game.seats_in if questions_of(self.game, seat)]
            self.play(action)
            for seat in asked:
                self.moved_instead(seat)
            self.carry_on()

    # Being away

    def stop_waiting(self, action: actions.StopWaiting) -> None:
        by = _seat_in_match(self.game, action.player)
        seat = self.game.seat(action.seat)
        if seat is None or seat.status is not Status.IN:
            raise IllegalAction("seat_empty", seat=action.seat)
        if seat is by:
            raise IllegalAction("own_seat")
        if seat.auto:
            raise IllegalAction("already_stopped_waiting")
        self.change(seat, auto=True)
        self.note(NoteKind.STOPPED_WAITING, seat.number)
        self.answer_for_absent()

    def answer_for_absent(self) -> None:
        if self.game.phase is Phase.PLAYING:
            self.carry_on()
        elif self.game.phase is Phase.BETTING and self.somebody_present():
            for seat in self.game.seats_in:
                if seat.auto and not seat.answered:
                    self.change(seat, sitting_out=True)
                    self.moved_instead(seat)
            self.deal_when_all_answered()

    def come_back(self, action: actions.ComeBack) -> None:
        seat = self.game.seat_of(action.player)
        if seat is None or not seat.auto:
            raise IllegalAction("not_away")
        if self.game.phase is Phase.BETTING and seat.sitting_out:
            # The round that the table sat out in their place is theirs again, as long as it is not dealt.
            self.game = replace(self.game, asked=self.game.asked + 1)
            self.change(seat, sitting_out=False, ask=self.game.asked)
        self.change(seat, auto=False)
        self.note(NoteKind.CAME_BACK, seat.number)
        # Others may have been waiting for somebody to be there at all.
        self.answer_for_absent()

    def pass_host(self, action: actions.PassHost) -> None:
        seat = self.game.seat_of(action.player)
        if seat is None or seat.gone:
            raise IllegalAction("not_seated")
        self.game = replace(self.game, host=action.player)

    def pass_host_from(self, player: str) -> None:
        if self.game.host != player:
            return
        others = [seat for seat in self.game.seats if seat.player != player and not seat.gone]
        if others:
            longest = min(others, key=lambda seat: seat.since)
            self.game = replace(self.game, host=longest.player)

    def free(self, seat: Seat) -> None:
        self.pass_host_from(seat.player)
        self.game = replace(self.game, seats=tuple(s for s in self.game.seats if s.number != seat.number))

    # Resigning, draws, the end

    def resign(self, action: actions.Resign) -> None:
        seat = _seat_in_match(self.game, action.player)
        game = self.game
        self.note(NoteKind.RESIGNED, seat.number)
        chips = seat.chips
        if game.phase is Phase.PLAYING and game.round is not None and game.record is not None:
            # What lies on the table is lost; what comes back later goes to the bank.
            chips = game.round.chips.get(seat.stack, chips)
            resigned = (*game.record.resigned, (seat.number, len(game.round.moves)))
            self.game = replace(self.game, record=replace(game.record, resigned=resigned))
        self.change(
            seat,
            status=Status.RESIGNED,
            chips=chips,
            bet=0,
            pair=0,
            fell=game.round_number,
        )
        left = self.game.seats_in
        if len(left) < 2:
            self.finish(Reason.LAST_LEFT, left)
            return
        if game.offer is not None:
            if game.offer.seat == seat.number:
                self.cancel_offer(seat)
            elif self.all_agree():
                self.finish(Reason.AGREED_DRAW, ())
                return
        if game.phase is Phase.BETTING:
            self.answer_for_absent()
            if self.game.phase is Phase.BETTING and self.game.round_number == game.round_number:
                self.deal_when_all_answered()
        else:
            self.carry_on()

    def offer_draw(self, action: actions.OfferDraw) -> None:
        seat = check_offer_draw(self.game, action.player)
        self.change(seat, offered_draw=True)
        number = self.game.offers + 1
        offer = Offer(f"{self.game.number}.{number}", seat.number, (seat.number,))
        self.game = replace(self.game, offers=number, offer=offer)
        self.note(NoteKind.DRAW_OFFERED, seat.number)

    def offered_to(self, player: str, offer: str) -> Seat:
        seat = _seat_in_match(self.game, player)
        if self.game.offer is None or self.game.offer.id != offer:
            raise IllegalAction("stale_offer")
        if seat.number in self.game.offer.accepted:
            raise IllegalAction("already_agreed")
        return seat

    def accept_draw(self, action: actions.AcceptDraw) -> None:
        seat = self.offered_to(action.player, action.offer)
        assert self.game.offer is not None
        accepted = (*self.game.offer.accepted, seat.number)
        self.game = replace(self.game, offer=replace(self.game.offer, accepted=accepted))
        if self.all_agree():
            self.finish(Reason.AGREED_DRAW, ())

    def all_agree(self) -> bool:
        offer = self.game.offer
        return offer is not None and all(seat.number in offer.accepted for seat in self.game.seats_in)

    def refuse_draw(self, action: actions.RefuseDraw) -> None:
        seat = self.offered_to(action.player, action.offer)
        self.game = replace(self.game, offer=None)
        self.note(NoteKind.DRAW_REFUSED, seat.number)

    def moved_instead(self, seat: Seat) -> None:
        """A move made instead of an answer, by the player or by the clock, cancels the offer."""
        offer = self.game.offer
        if offer is not None and seat.status is Status.IN and seat.number not in offer.accepted:
            self.cancel_offer(seat)

    def cancel_offer(self, seat: Seat) -> None:
        self.game = replace(self.game, offer=None)
        self.note(NoteKind.DRAW_CANCELLED, seat.number)

    def abandon(self, action: actions.Abandon) -> None:
        if not self.game.in_match:
            raise IllegalAction("no_match")
        self.finish(Reason.ABANDONED, ())

    def finish(self, reason: Reason, candidates: tuple[Seat, ...]) -> None:
        """End the match; of `candidates` whoever holds the most chips wins, equals draw."""
        winners = [seat.number for seat in candidates]
        if self.game.phase is Phase.PLAYING and self.game.seed is not None:
            self.close_round(broken_off=True)
        elif self.game.phase is Phase.BETTING and self.game.seed is not None:
            # The round whose bets were open is not played; its shoe is finished all the same.
            self.game = replace(self.game, published=(self.game.round_number, self.game.seed), seed=None)
        game = self.game
        best = max((seat.chips for seat in game.seats if seat.number in winners), default=0)
        first = [seat for seat in game.seats if seat.number in winners and seat.chips == best]
        winner = first[0] if len(first) == 1 else None
        result = Result(reason, winner.number if winner else None, _places(game.seats))
        score = {one.player: one for one in game.score}
        if winner:
            wins = score[winner.player].wins if winner.player in score else 0
            score[winner.player] = Score(winner.player, winner.name, wins + 1)
        drawn = winner is None and reason is not Reason.ABANDONED
        self.game = replace(
            game,
            phase=Phase.OVER,
            result=result,
            offer=None,
            score=tuple(score.values()),
            draws=game.draws + drawn,
            seats=tuple(
                replace(seat, ready=False, auto=False, bet=0, pair=0, sitting_out=False)
                for seat in game.seats
                if not seat.gone
            ),
        )
        self.happened.append(GameOver(game.number, result))

    # Small steps

    def change(self, seat: Seat, **changes: Any) -> None:
        seats = tuple(replace(s, **changes) if s.number == seat.number else s for s in self.game.seats)
        self.game = replace(self.game, seats=seats)

    def note(self, kind: NoteKind, seat: int) -> None:
        game = self.game
        note = Note(game.round_number, len(game.round.events) if game.round else 0, kind, seat)
        self.game = replace(game, notes=(*game.notes, note))


def _places(seats: tuple[Seat, ...]) -> tuple[Place, ...]:
    """Who ended where: those still in by chips, then those who fell, the later the better."""

    def rank(seat: Seat) -> tuple[bool, int, bool, int]:
        still_in = seat.status is Status.IN
        return (still_in, seat.fell, seat.status is Status.OUT, seat.chips)

    ordered = sorted(seats, key=lambda seat: (*rank(seat), -seat.number), reverse=True)
    places: list[Place] = []
    for index, seat in enumerate(ordered):
        tied = index > 0 and rank(ordered[index - 1]) == rank(seat)
        place = places[-1].place if tied else index + 1
        places.append(Place(seat.number, seat.player, seat.name, seat.chips, place, seat.status))
    return tuple(places)
