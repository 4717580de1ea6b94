"""Rounds in sequence with seats and chips: a match from its lobby to its result, an open table, a solo table.

`open_table` begins, `apply` is the one transition. Everything arrives as an action, time included; fresh
seeds are handed in, so that the same actions with the same seeds give the same game. The three kinds of
table are one machine: a match has a lobby and ends, the other two have their bets open whenever no cards lie.
What a table is made of is in `engine.table` and what is asked in `engine.questions`; both may be had from
here. What an action must pass before it changes anything is in `engine.allowed`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine import actions
from engine import round as rounds
from engine.actions import Move, TableAction
from engine.allowed import (
    check_answer_behind,
    check_back,
    check_bet,
    check_deal,
    check_offer_draw,
    check_settings,
    check_sit,
    check_start,
    seat_in_match,
)
from engine.bets import Behind
from engine.errors import IllegalAction
from engine.questions import ask_id, clock_window, questions_behind, questions_of
from engine.record import Record
from engine.round import Asked, Question, Round, open_stakes
from engine.rules import Rules, Shuffle
from engine.shoe import SEED_BYTES, SealedShoe, cut_after
from engine.table import (
    MATCH_ROUNDS,
    MATCH_SEATS,
    Backer,
    Game,
    Kind,
    Note,
    NoteKind,
    Offer,
    Phase,
    Place,
    Purse,
    Reason,
    Result,
    Score,
    Seat,
    Status,
    match_stack,
)

__all__ = [
    "BACKER_IDLE_ROUNDS",
    "MATCH_ROUNDS",
    "MATCH_SEATS",
    "Backer",
    "Game",
    "GameEvent",
    "GameOver",
    "GameStarted",
    "Kind",
    "Note",
    "NoteKind",
    "Offer",
    "Phase",
    "Place",
    "Purse",
    "Reason",
    "Result",
    "RoundFinished",
    "Score",
    "Seat",
    "ShoeFinished",
    "Status",
    "apply",
    "ask_id",
    "check_settings",
    "clock_window",
    "open_table",
    "questions_behind",
    "questions_of",
]

# Who has bet behind in one of so many rounds counts as betting in the next.
BACKER_IDLE_ROUNDS = 2
COMING_AND_GOING = frozenset({NoteKind.SAT_DOWN, NoteKind.LEFT})

# What happened to the game, for who keeps it. What happened in a round is in `Round.events`.


@dataclass(frozen=True, slots=True)
class GameStarted:
    number: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """A round ended. `round` is None when everybody sat it out; `chips` is what each purse holds now."""

    record: Record
    round: Round | None
    chips: Mapping[str, int]
    notes: tuple[Note, ...]


@dataclass(frozen=True, slots=True)
class ShoeFinished:
    """A shoe was put away: its seeds may be published."""

    shoe: SealedShoe


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game ended; `purses` is what everybody held then, who bet behind included."""

    number: int
    result: Result
    purses: tuple[Purse, ...] = ()


GameEvent = GameStarted | RoundFinished | ShoeFinished | GameOver


def open_table(
    rules: Rules,
    match_rounds: int,
    host: str,
    name: str,
    *,
    kind: Kind = Kind.MATCH,
    seed: bytes = bytes(SEED_BYTES),
    spare: bytes | None = None,
) -> Game:
    """A new table with `host` on the first seat, a match in its lobby, the others with their bets open.

    `match_rounds` counts for a match alone; `seed` and `spare` are as in `apply`. Raises `EngineError`.
    """
    check_settings(rules, match_rounds, kind)
    game = Game(rules, match_rounds if kind is Kind.MATCH else 0, host, kind)
    step = _Step(game, seed, spare)
    if kind is not Kind.MATCH:
        step.begin_anew()
    step.take(actions.Sit(host, 1, name))
    return step.game


def apply(
    game: Game, action: TableAction, seed: bytes, spare: bytes | None = None
) -> tuple[Game, tuple[GameEvent, ...]]:
    """The game after `action`, and what happened to it.

    `seed` is `SEED_BYTES` fresh bytes of secure chance, used only when this step opens a new shoe; a cut-card
    shoe takes `spare`, as many again, for its discards. Raises `IllegalAction` (or another `EngineError`) for
    what is not allowed; the game is then as it was.
    """
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes")
    step = _Step(game, seed, spare)
    step.take(action)
    return step.game, tuple(step.happened)


@dataclass
class _Step:
    """One step of a game: the game so far and what has happened in the step."""

    game: Game
    seed: bytes
    spare: bytes | None = None
    happened: list[GameEvent] = field(default_factory=list)

    def take(self, action: TableAction) -> None:
        if isinstance(action, ONLY_IN_A_MATCH) and self.game.kind is not Kind.MATCH:
            raise IllegalAction("not_a_match")
        HANDLERS[type(action)](self, action)

    # Seats and the lobby

    def sit(self, action: actions.Sit) -> None:
        game = self.game
        check_sit(game, action.player)
        if not 1 <= action.seat <= game.seat_limit:
            raise IllegalAction("no_such_seat", seat=action.seat)
        if game.seat(action.seat) is not None:
            raise IllegalAction("seat_taken", seat=action.seat)
        stack, name = str(action.seat), action.name
        if game.kind is not Kind.MATCH:
            # Whoever holds several seats is called the same on all of them.
            purse = self.purse_for(action.player, action.name)
            stack, name = purse.stack, purse.name
        seat = Seat(action.seat, action.player, name, game.sat_down + 1, stack)
        # Who sits first at an empty table takes over from a host who does not sit.
        host = game.host if game.seats and game.host else action.player
        seats = tuple(sorted((*game.seats, seat), key=lambda one: one.number))
        self.game = replace(self.game, seats=seats, sat_down=seat.since, host=host)
        if not game.rules.players_may_back:
            self.drop_backer(action.player)
        if game.kind is not Kind.MATCH:
            self.game = replace(self.game, asked=game.asked + 1)
            self.change(seat, status=Status.IN, ask=self.game.asked, fresh=True)
            self.note(NoteKind.SAT_DOWN, seat.number)
            # Everybody may have answered before: now there is one more to wait for.
            self.deal_when_all_answered()

    def purse_for(self, player: str, name: str) -> Purse:
        """The purse of `player` in this game, kept while they are away, else a new one."""
        match = self.game.kind is Kind.MATCH
        purse = self.game.backing_purse_of(player) if match else self.game.purse_of(player)
        if purse is None:
            number = self.game.opened_purses + 1
            chips = self.game.rules.starting_chips
            purse = Purse(f"p{number}", player, name, chips, chips)
            self.game = replace(self.game, purses=(*self.game.purses, purse), opened_purses=number)
        elif purse.name != name and not (purse.rounds or purse.backed or self.game.seats_of(player)):
            # Kept from the game before, whose last round lies on the felt.
            self.change_purse(purse, name=name)
            purse = replace(purse, name=name)
        return purse

    def leave(self, action: actions.Leave) -> None:
        seats = self.game.seats_of(action.player)
        if action.seat is not None:
            seats = tuple(seat for seat in seats if seat.number == action.seat)
        if not seats:
            raise IllegalAction("not_seated")
        if self.game.kind is Kind.MATCH:
            self.leave_match(seats[0])
            return
        if all(seat.gone for seat in seats):
            raise IllegalAction("already_left")
        if self.game.kind is Kind.SOLO and all(seat in seats or seat.gone for seat in self.game.seats):
            raise IllegalAction("alone_here")
        for seat in seats:
            if self.game.record is not None and self.playing and seat.number in self.game.record.bets:
                # The cards stay until the round is over, played by the timeout rule.
                self.change(seat, gone=True)
            else:
                self.note(NoteKind.LEFT, seat.number)
                self.free(seat)
        if all(seat.gone for seat in self.game.seats_of(action.player)):
            self.pass_host_from(action.player)
        self.forget_unplayed()
        if self.playing:
            self.carry_on()
        else:
            self.deal_when_all_answered()

    def leave_match(self, seat: Seat) -> None:
        if not self.game.in_match:
            self.free(seat)
            return
        if seat.gone:
            raise IllegalAction("already_left")
        self.change(seat, gone=True)
        self.pass_host_from(seat.player)
        if seat.status is Status.IN:
            self.resign(actions.Resign(seat.player))

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
        chips = game.rules.starting_chips
        seats = tuple(
            Seat(one.number, one.player, one.name, one.since, match_stack(game.rules, one.number), Status.IN)
            for one in game.seats
        )
        self.game = replace(
            game,
            number=game.number + 1,
            round_number=0,
            round=None,
            record=None,
            published=None,
            result=None,
            notes=(),
            seats=seats,
            purses=tuple(Purse(seat.stack, seat.player, seat.name, chips, chips) for seat in seats),
            backers=(),
        )
        self.happened.append(GameStarted(self.game.number))
        self.open_betting()

    # Bets

    def open_betting(self) -> None:
        """Open the bets of the next round, or end the game where there is none."""
        if self.game.kind is Kind.MATCH:
            self.open_match_betting()
        elif self.game.ending and self.game.shoe is None:
            self.end_game(Reason.DAY_OVER)
        else:
            self.refill()
            self.open_window()

    def refill(self) -> None:
        """A fresh starting stack for who can not lay the least bet; nothing is staked between rounds.

        In a match the seats play with what they have: it is for those who bet behind them.
        """
        rules = self.game.rules
        seated = {seat.stack for seat in self.game.seats if self.game.kind is Kind.MATCH}
        purses = []
        for purse in self.game.purses:
            if purse.chips < rules.min_bet and purse.stack not in seated:
                purse = replace(purse, chips=rules.starting_chips, refills=purse.refills + 1)
                seats = self.game.seats_of(purse.player) if self.game.kind is not Kind.MATCH else ()
                if seats:
                    self.note(NoteKind.REFILLED, seats[0].number)
                elif self.game.backer(purse.player) is not None:
                    self.note(NoteKind.REFILLED, 0, purse.name)
            purses.append(purse)
        self.game = replace(self.game, purses=tuple(purses))

    def open_window(self) -> None:
        asked = self.game.asked
        seats = []
        for seat in self.game.seats:
            if seat.status is Status.IN:
                asked += 1
                seat = replace(
                    seat, ask=asked, bet=0, pair=0, sitting_out=False, offered_draw=False, fresh=False
                )
            seats.append(seat)
        backers = []
        for backer in self.game.backers:
            if backer.idle < BACKER_IDLE_ROUNDS:
                asked += 1
                backers.append(replace(backer, ask=asked, laid=(), done=False))
        self.game = replace(
            self.game,
            phase=Phase.BETTING,
            round_number=self.game.round_number + 1,
            seats=tuple(seats),
            backers=tuple(backers),
            asked=asked + 1,
            window=asked + 1,
            closing=False,
        )
        self.forget_unplayed()
        if self.game.shoe is None:
            self.open_shoe()

    def forget_unplayed(self) -> None:
        """Who came and went without a dealt bet leaves no purse: a new one is the same."""
        game = self.game
        used = {seat.stack for seat in game.seats} | {backer.stack for backer in game.backers}
        if game.record is not None:
            used |= set(game.record.chips)

        def is_new(purse: Purse) -> bool:
            chips = game.rules.starting_chips
            return purse == Purse(purse.stack, purse.player, purse.name, chips, chips)

        purses = tuple(one for one in game.purses if one.stack in used or not is_new(one))
        self.game = replace(game, purses=purses)

    def open_shoe(self) -> None:
        game = self.game
        cut = game.rules.shuffle is Shuffle.CUT_CARD
        if cut and (self.spare is None or len(self.spare) != SEED_BYTES):
            raise ValueError("a cut-card shoe needs a second seed for its discards")
        shoe = SealedShoe(game.shoes + 1, self.seed, self.spare if cut else None)
        self.game = replace(game, shoe=shoe, shoes=shoe.number)

    def open_match_betting(self) -> None:
        game = self.game
        if game.round_number >= game.rounds:
            self.finish(Reason.ROUNDS, game.seats_in)
            return
        number = game.round_number + 1
        fallen = [seat for seat in game.seats_in if game.chips_of(seat) < game.rules.min_bet]
        candidates = game.seats_in
        for seat in fallen:
            self.change(seat, status=Status.OUT, fell=number)
            self.drop_backer(seat.player)
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
        self.refill()
        self.open_window()
        self.answer_for_absent()

    def betting_seat(self, player: str, ask: str) -> Seat:
        seat_in_match(self.game, player)
        if self.game.phase is Phase.BETTING:
            for seat in self.game.seats_of(player):
                if ask == ask_id(self.game, seat.ask):
                    return seat
        raise IllegalAction("stale_question")

    def bet(self, action: actions.Bet) -> None:
        seat = self.betting_seat(action.player, action.ask)
        check_bet(self.game, seat, action.amount, action.pair)
        self.begin_with_first_bet()
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

    def deal_now(self, action: actions.Deal) -> None:
        """Who holds several seats has bet on all that they want: the others sit out."""
        check_deal(self.game, action.player)
        for seat in self.game.seats_of(action.player):
            if not seat.answered:
                self.change(seat, sitting_out=True)
        self.deal_when_all_answered()

    def deal_when_all_answered(self) -> None:
        seats = self.game.seats_in
        if not all(seat.answered for seat in seats):
            # With a clock, taking a bet back in the backers' seconds does not buy the seats more time. Where
            # no bet is left the table is idle again.
            idle = self.game.kind is not Kind.MATCH and not any(seat.bet for seat in seats)
            if self.game.closing and (self.game.rules.bet_seconds is None or idle):
                self.game = replace(self.game, closing=False)
            return
        # Where there is no last round, one in which nobody bets is not played.
        if self.game.kind is not Kind.MATCH and not any(seat.bet for seat in seats):
            self.game = replace(self.game, closing=False)
            return
        if any(not backer.done and not backer.away for backer in self.game.backers):
            self.game = replace(self.game, closing=True)
            return
        self.deal()

    # Bets behind

    def back(self, action: actions.Back) -> None:
        game = self.game
        backer = game.backer(action.player)
        number = backer.ask if backer else game.window
        if game.phase is not Phase.BETTING or action.ask != ask_id(game, number):
            raise IllegalAction("stale_question")
        check_back(game, action.player, action.box, action.bet, action.pair)
        if not action.bet and not action.pair and (backer is None or backer.on(action.box) is None):
            raise IllegalAction("nothing_to_take_back")
        if backer is None:
            own = game.seats_to_back_from(action.player)
            stack = own[0].stack if own else self.purse_for(action.player, action.name).stack
            backer = Backer(action.player, action.name, stack)
            self.game = replace(self.game, backers=(*self.game.backers, backer))
        laid = [one for one in backer.laid if one.box != action.box]
        if action.bet or action.pair:
            laid.append(Behind(backer.stack, action.box, action.bet, action.pair))
        self.game = replace(self.game, asked=self.game.asked + 1)
        laid.sort(key=lambda one: one.box)
        self.change_backer(backer, ask=self.game.asked, laid=tuple(laid), away=False)
        self.begin_with_first_bet()
        self.deal_when_all_answered()

    def done(self, action: actions.Done) -> None:
        backer = self.game.backer(action.player)
        if (
            backer is None
            or self.game.phase is not Phase.BETTING
            or action.ask != ask_id(self.game, backer.ask)
        ):
            raise IllegalAction("stale_question")
        if backer.done:
            raise IllegalAction("done_betting")
        self.change_backer(backer, done=True)
        self.deal_when_all_answered()

    def go_away(self, action: actions.GoAway) -> None:
        backer = self.game.backer(action.player)
        if backer is None or backer.away:
            raise IllegalAction("not_betting")
        self.change_backer(backer, away=True)
        if self.playing:
            self.carry_on()
        elif self.game.phase is Phase.BETTING and self.game.closing:
            self.deal_when_all_answered()

    def drop_backer(self, player: str) -> None:
        """Who plays now, or has stopped playing with the purse of a seat: undealt bets behind go back, and
        what is still asked about dealt ones is answered no."""
        backers = tuple(one for one in self.game.backers if one.player != player)
        if backers != self.game.backers:
            # Who bets again in this window has a new question: an old click is not to count twice.
            asked = self.game.asked + 1
            self.game = replace(self.game, backers=backers, asked=asked, window=asked)

    def begin_with_first_bet(self) -> None:
        if self.game.kind is not Kind.MATCH and not self.game.begun:
            self.game = replace(self.game, begun=True)
            self.happened.append(GameStarted(self.game.number))

    def clear_behind(self, box: int) -> None:
        """Who bet behind a seat that is given up gets it back."""
        if self.game.phase is Phase.BETTING:
            backers = tuple(
                replace(backer, laid=tuple(one for one in backer.laid if one.box != box))
                for backer in self.game.backers
            )
            self.game = replace(self.game, backers=backers)

    def deal(self) -> None:
        game = self.game
        assert game.shoe is not None
        record = _record_of_bets(game, game.shoe)
        staking = {seat.stack for seat in game.seats if seat.number in record.bets}
        backing = {one.backer for one in record.behind}
        self.game = replace(
            game,
            phase=Phase.PLAYING,
            record=record,
            round=record.deal(game.rules),
            purses=tuple(
                replace(p, rounds=p.rounds + (p.stack in staking), backed=p.backed + (p.stack in backing))
                for p in game.purses
            ),
            backers=tuple(
                replace(one, laid=(), idle=0 if one.laid else one.idle + 1) for one in game.backers
            ),
            closing=False,
            notes=tuple(replace(n, after=0) for n in game.notes if n.round == game.round_number),
        )
        for number in record.sat_out:
            self.note(NoteKind.SAT_OUT, number)
        self.look_at_shoe(game.shoe.dealt, reshuffled=False)
        self.carry_on()

    # The round

    def answer(self, action: actions.Answer) -> None:
        game = self.game
        for question in questions_behind(game, action.player):
            if action.ask == ask_id(game, question.number):
                self.take_backers_answer(question, action)
                return
        seat_in_match(game, action.player)
        for seat in game.seats_of(action.player):
            for question in questions_of(game, seat):
                if action.ask == ask_id(game, question.number):
                    self.take_answer(seat, question, action)
                    return
        raise IllegalAction("stale_question")

    def take_answer(self, seat: Seat, question: Question, action: actions.Answer) -> None:
        if isinstance(action.move, actions.Expire) or getattr(action.move, "backer", None) is not None:
            raise IllegalAction("not_an_answer")
        if action.move.box != question.box:
            raise IllegalAction("stale_question")
        self.play(action.move)
        self.moved_instead(seat)
        self.carry_on()

    def take_backers_answer(self, question: Question, action: actions.Answer) -> None:
        move = action.move
        if isinstance(move, actions.Expire) or getattr(move, "backer", None) != question.backer:
            raise IllegalAction("not_an_answer")
        if move.box != question.box:
            raise IllegalAction("stale_question")
        check_answer_behind(self.game, question, move)
        self.play(move)
        self.carry_on()

    def play(self, move: Move) -> None:
        assert self.game.round is not None
        before = self.game.round.shoe
        self.game = replace(self.game, round=rounds.apply(self.game.round, move))
        self.look_at_shoe(before.dealt, before.reshuffled)

    def look_at_shoe(self, dealt: int, reshuffled: bool) -> None:
        """Say when the cut card has come, and when the discards had to be dealt again."""
        state, rules = self.game.round, self.game.rules
        if state is None or rules.shuffle is not Shuffle.CUT_CARD or reshuffled:
            return
        cut = cut_after(rules.decks, rules.cut_card)
        # One deal may run past the cut card and on to the end of the shoe.
        if dealt < cut and (state.shoe.reshuffled or state.shoe.dealt >= cut):
            self.note(NoteKind.CUT_CARD, 0)
        if state.shoe.reshuffled:
            self.note(NoteKind.DISCARDS, 0)

    def carry_on(self) -> None:
        """Answer for those who do not answer any more, and close the round when it is settled."""
        while (state := self.game.round) is not None and not state.settled:
            answer = self.absent_answer(state)
            if answer is None:
                return
            seat, move = answer
            self.play(move)
            if seat is not None:
                self.moved_instead(seat)
        self.close_round()

    def absent_answer(self, state: Round) -> tuple[Seat | None, Move] | None:
        """The first answer that is to be given for somebody who does not."""
        here = {backer.stack for backer in self.game.backers if not backer.away}
        for question in state.questions:
            if question.backer is None:
                seat = self.game.seat(question.box)
                if seat is not None and self.answers_no_more(seat):
                    return seat, self.answer_for(seat, question)
            elif question.backer not in here:
                kind = actions.Pass if question.asked is Asked.FOLLOW else actions.Decline
                return None, kind(question.box, question.backer)
        return None

    def answers_no_more(self, seat: Seat) -> bool:
        gone = self.game.kind is not Kind.MATCH and seat.gone
        return seat.status is Status.RESIGNED or gone or (seat.auto and self.somebody_present())

    def answer_for(self, seat: Seat, question: Question) -> Move:
        if question.asked is not Asked.TURN:
            return actions.Decline(question.box)
        return actions.Stand(question.box) if seat.status is Status.RESIGNED else actions.Expire()

    def somebody_present(self) -> bool:
        """Somebody in the match still answers; where nobody does the table waits rather than play alone."""
        return any(not seat.auto for seat in self.game.seats_in)

    def close_round(self, *, broken_off: bool = False, void: bool = False) -> None:
        """Keep the round and put its chips where they belong; open the next bets if it was played out."""
        game = self.game
        assert game.record is not None
        state = game.round
        moves = state.moves if state else ()
        record = replace(game.record, moves=moves, broken_off=broken_off, void=void)
        if state is not None:
            returned = open_stakes(state) if broken_off else {}
            purses = tuple(self.after_round(purse, state, record, returned) for purse in game.purses)
            self.game = replace(game, purses=purses)
        finished = self.put_back_cards(record, state)
        self.game = replace(
            self.game,
            phase=Phase.BETTING,
            seats=tuple(replace(seat, bet=0, pair=0, sitting_out=False) for seat in game.seats),
            record=record,
            asked=state.asked if state else game.asked,
        )
        seated = {seat.stack for seat in game.seats}
        chips = {
            purse.stack: purse.chips
            for purse in self.game.purses
            if purse.stack in seated or purse.stack in record.chips
        }
        if game.kind is not Kind.MATCH:
            self.free_idle(record)
        notes = tuple(note for note in self.game.notes if note.round == record.number)
        self.happened.append(RoundFinished(record, state, chips, notes))
        if finished:
            self.finish_shoe()
        if not broken_off:
            self.open_betting()

    def after_round(self, purse: Purse, state: Round, record: Record, returned: Mapping[str, int]) -> Purse:
        """The purse after the round; a resigned seat keeps what it had when it resigned."""
        if purse.stack not in state.chips:
            return purse
        if record.void:
            return replace(purse, chips=record.chips[purse.stack])
        chips = state.chips[purse.stack] + returned.get(purse.stack, 0)
        if any(seat.stack == purse.stack and seat.status is Status.RESIGNED for seat in self.game.seats):
            chips = purse.chips
        return replace(purse, chips=chips, highest=max(purse.highest, chips))

    def put_back_cards(self, record: Record, state: Round | None) -> bool:
        """Count the round's cards as dealt; whether its shoe is finished with it."""
        game = self.game
        assert game.shoe is not None
        if game.rules.shuffle is Shuffle.EVERY_ROUND or record.broken_off or record.void:
            return True
        if state is None:
            return False
        if state.shoe.reshuffled:
            return True
        self.game = replace(game, shoe=replace(game.shoe, dealt=state.shoe.dealt))
        return state.shoe.dealt >= cut_after(game.rules.decks, game.rules.cut_card)

    def finish_shoe(self) -> None:
        """Put the shoe away; its seeds may now be published."""
        shoe = self.game.shoe
        if shoe is not None:
            self.happened.append(ShoeFinished(shoe))
            self.game = replace(self.game, published=shoe, shoe=None)

    def free_idle(self, record: Record) -> None:
        """Who has left goes; who let a whole round pass without a bet loses the seats."""
        game = self.game
        backing = {one.backer for one in record.behind}
        active = {
            seat.player
            for seat in game.seats
            if seat.number in record.bets or seat.fresh or seat.stack in backing
        }
        for seat in game.seats:
            idle = game.kind is Kind.OPEN and not record.void and seat.player not in active
            if seat.gone or idle:
                self.note(NoteKind.LEFT if seat.gone else NoteKind.IDLE, seat.number)
                self.free(seat)

    def void(self, action: actions.Void) -> None:
        """The round never was: every bet goes back, what was paid is taken back, the shoe is finished."""
        if not self.playing:
            raise IllegalAction("no_round")
        self.note(NoteKind.VOID_FAILURE if action.failure else NoteKind.VOID_STAFF, 0)
        self.close_round(void=True)

    @property
    def playing(self) -> bool:
        return self.game.phase is Phase.PLAYING and self.game.round is not None

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
        by = seat_in_match(self.game, action.player)
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
        backer = self.game.backer(action.player)
        if backer is not None and backer.away:
            self.change_backer(backer, away=False)
            if seat is None or not seat.auto:
                return
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
        if self.game.host != player or self.game.kind is Kind.SOLO:
            return
        others = [seat for seat in self.game.seats if seat.player != player and not seat.gone]
        if others:
            longest = min(others, key=lambda seat: seat.since)
            self.game = replace(self.game, host=longest.player)

    def free(self, seat: Seat) -> None:
        self.clear_behind(seat.number)
        self.game = replace(self.game, seats=tuple(s for s in self.game.seats if s.number != seat.number))
        if not self.game.seats_of(seat.player):
            self.pass_host_from(seat.player)

    # Where people come and go: one game follows the other

    def begin_anew(self) -> None:
        """The next game of a table without a lobby: fresh stacks for who sits, a new shoe, open bets."""
        game = self.game
        chips = game.rules.starting_chips
        # The last round may still lie on the felt: its log names who played it.
        kept = {seat.stack for seat in game.seats} | set(game.record.chips if game.record else ())
        self.game = replace(
            game,
            number=game.number + 1,
            begun=False,
            ending=False,
            purses=tuple(
                Purse(purse.stack, purse.player, purse.name, chips, chips)
                for purse in game.purses
                if purse.stack in kept
            ),
            backers=(),
            round_number=0,
            # Notes on a first round would be taken for those of the one that begins.
            notes=tuple(note for note in game.notes if note.round != 1),
        )
        self.open_window()

    def end_game(self, reason: Reason) -> None:
        if self.playing:
            self.close_round(broken_off=True)
        else:
            self.finish_shoe()
        played = sorted(
            (purse for purse in self.game.purses if purse.rounds), key=lambda one: (-one.chips, one.stack)
        )
        places = []
        for purse in played:
            seat = self.game.seat_of(purse.player)
            place = 1 + sum(one.chips > purse.chips for one in played)
            places.append(
                Place(
                    seat.number if seat else 0, purse.player, purse.name, purse.chips, place, Status.IN,
                    purse.stack, purse.refills, purse.highest,
                )
            )  # fmt: skip
        result = Result(reason, None, tuple(places))
        self.happened.append(GameOver(self.game.number, result, self.game.purses))
        if reason is not Reason.DAY_OVER:
            self.game = replace(self.game, record=None, round=None, notes=())
        self.begin_anew()

    def new_game(self, action: actions.NewGame) -> None:
        if self.game.kind is not Kind.SOLO:
            raise IllegalAction("not_alone")
        if action.player != self.game.host:
            raise IllegalAction("not_host")
        if not self.game.begun:
            raise IllegalAction("game_is_new")
        self.end_game(Reason.NEW_GAME)

    def close_game(self, action: actions.CloseGame) -> None:
        """Nobody has sat here for a while."""
        if self.game.kind is not Kind.OPEN or not self.game.begun or self.game.seats:
            raise IllegalAction("not_empty")
        self.end_game(Reason.EMPTY)

    def end_with_shoe(self, action: actions.EndWithShoe) -> None:
        """The game has lasted a day: it ends at the next shuffle."""
        if self.game.kind is not Kind.OPEN or not self.game.begun or self.game.ending:
            raise IllegalAction("not_a_day_old")
        self.game = replace(self.game, ending=True)

    # Resigning, draws, the end

    def resign(self, action: actions.Resign) -> None:
        seat = seat_in_match(self.game, action.player)
        game = self.game
        self.note(NoteKind.RESIGNED, seat.number)
        if game.phase is Phase.PLAYING and game.round is not None and game.record is not None:
            # What lies on the table is lost; what comes back later goes to the bank.
            purse = game.purse(seat.stack)
            if purse is not None and seat.stack in game.round.chips:
                self.change_purse(purse, chips=game.round.chips[seat.stack])
            resigned = (*game.record.resigned, (seat.number, len(game.round.moves)))
            self.game = replace(self.game, record=replace(game.record, resigned=resigned))
        self.clear_behind(seat.number)
        self.drop_backer(seat.player)
        self.change(
            seat,
            status=Status.RESIGNED,
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
        seat = seat_in_match(self.game, player)
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
        if self.game.kind is Kind.SOLO and self.game.begun:
            self.end_game(Reason.ABANDONED)
            return
        if self.game.kind is not Kind.MATCH or not self.game.in_match:
            raise IllegalAction("no_match")
        self.finish(Reason.ABANDONED, ())

    def finish(self, reason: Reason, candidates: tuple[Seat, ...]) -> None:
        """End the match; of `candidates` whoever holds the most chips wins, equals draw."""
        winners = [seat.number for seat in candidates]
        if self.game.phase is Phase.PLAYING and self.game.shoe is not None:
            self.close_round(broken_off=True)
        else:
            # The round whose bets were open is not played; its shoe is finished all the same.
            self.finish_shoe()
        game = self.game
        best = max((game.chips_of(seat) for seat in game.seats if seat.number in winners), default=0)
        first = [seat for seat in game.seats if seat.number in winners and game.chips_of(seat) == best]
        winner = first[0] if len(first) == 1 else None
        result = Result(reason, winner.number if winner else None, _places(game))
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
            closing=False,
            backers=tuple(replace(one, laid=()) for one in game.backers),
            seats=tuple(
                replace(seat, ready=False, auto=False, bet=0, pair=0, sitting_out=False)
                for seat in game.seats
                if not seat.gone
            ),
        )
        self.happened.append(GameOver(game.number, result, game.purses))

    # Small steps

    def change(self, seat: Seat, **changes: Any) -> None:
        seats = tuple(replace(s, **changes) if s.number == seat.number else s for s in self.game.seats)
        self.game = replace(self.game, seats=seats)

    def change_backer(self, backer: Backer, **changes: Any) -> None:
        backers = tuple(
            replace(one, **changes) if one.player == backer.player else one for one in self.game.backers
        )
        self.game = replace(self.game, backers=backers)

    def change_purse(self, purse: Purse, **changes: Any) -> None:
        purses = tuple(replace(p, **changes) if p.stack == purse.stack else p for p in self.game.purses)
        self.game = replace(self.game, purses=purses)

    def note(self, kind: NoteKind, number: int, name: str = "") -> None:
        """`name` where the note is about no seat, which has the number 0."""
        game = self.game
        seat = game.seat(number)
        after = len(game.round.events) if game.round else 0
        name = seat.name if seat else name
        note = Note(game.round_number, after, kind, number, name)
        notes = game.notes
        if kind in COMING_AND_GOING:
            # Of all who come and go at a seat before a deal two are told: the first, who may have held it
            # before, and the last; of one and the same the last thing alone.
            same = [n for n in notes if _of_one_seat(n, note)]
            first = [n for n in same[:1] if n.name != name]
            notes = tuple(n for n in notes if n not in same or n in first)
        self.game = replace(game, notes=(*notes, note))


# What is done with each action that there is.
HANDLERS: Mapping[type[TableAction], Callable[[_Step, Any], None]] = {
    actions.Sit: _Step.sit,
    actions.Leave: _Step.leave,
    actions.Ready: _Step.ready,
    actions.Start: _Step.start,
    actions.Remove: _Step.remove,
    actions.Configure: _Step.configure,
    actions.BackToLobby: _Step.back_to_lobby,
    actions.Bet: _Step.bet,
    actions.TakeBack: _Step.take_back,
    actions.SitOut: _Step.sit_out,
    actions.Answer: _Step.answer,
    actions.Resign: _Step.resign,
    actions.OfferDraw: _Step.offer_draw,
    actions.AcceptDraw: _Step.accept_draw,
    actions.RefuseDraw: _Step.refuse_draw,
    actions.StopWaiting: _Step.stop_waiting,
    actions.ComeBack: _Step.come_back,
    actions.PassHost: _Step.pass_host,
    actions.Abandon: _Step.abandon,
    actions.Expire: _Step.expire,
    actions.Deal: _Step.deal_now,
    actions.NewGame: _Step.new_game,
    actions.CloseGame: _Step.close_game,
    actions.EndWithShoe: _Step.end_with_shoe,
    actions.Void: _Step.void,
    actions.Back: _Step.back,
    actions.Done: _Step.done,
    actions.GoAway: _Step.go_away,
}

ONLY_IN_A_MATCH = (
    actions.Ready, actions.Start, actions.Remove, actions.Configure, actions.BackToLobby, actions.Resign,
    actions.OfferDraw, actions.AcceptDraw, actions.RefuseDraw, actions.StopWaiting,
)  # fmt: skip


def _record_of_bets(game: Game, shoe: SealedShoe) -> Record:
    """The record of the round that the bets on the table make."""
    betting = [seat for seat in game.seats_in if seat.bet]
    boxes = {seat.number for seat in betting}
    # What lies behind a seat that sits out goes back.
    behind = [one for backer in game.backers for one in backer.laid if one.box in boxes]
    stakes = {seat.stack for seat in betting} | {one.backer for one in behind}
    return Record(
        number=game.round_number,
        shoe=shoe,
        bets={seat.number: seat.bet for seat in betting},
        pairs={seat.number: seat.pair for seat in betting if seat.pair},
        stacks={seat.number: seat.stack for seat in betting if seat.stack != str(seat.number)},
        behind=tuple(sorted(behind, key=lambda one: (one.box, one.backer))),
        chips={purse.stack: purse.chips for purse in game.purses if purse.stack in stakes},
        sat_out=tuple(seat.number for seat in game.seats_in if not seat.bet),
        first_question=game.asked + 1,
    )


def _of_one_seat(one: Note, other: Note) -> bool:
    """Both are told of coming to or going from the same seat at the same time of the same round."""
    return one.kind in COMING_AND_GOING and (one.round, one.after, one.seat) == (
        other.round, other.after, other.seat,
    )  # fmt: skip


def _places(game: Game) -> tuple[Place, ...]:
    """Who ended where: those still in by chips, then those who fell, the later the better."""

    def rank(seat: Seat) -> tuple[bool, int, bool, int]:
        still_in = seat.status is Status.IN
        return (still_in, seat.fell, seat.status is Status.OUT, game.chips_of(seat))

    ordered = sorted(game.seats, key=lambda seat: (*rank(seat), -seat.number), reverse=True)
    places: list[Place] = []
    for index, seat in enumerate(ordered):
        tied = index > 0 and rank(ordered[index - 1]) == rank(seat)
        place = places[-1].place if tied else index + 1
        purse = game.purse(seat.stack)
        highest = purse.highest if purse else 0
        places.append(
            Place(
                seat.number, seat.player, seat.name, game.chips_of(seat), place, seat.status, seat.stack,
                highest=highest,
            )
        )  # fmt: skip
    return tuple(places)
