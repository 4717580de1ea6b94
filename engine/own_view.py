"""What is a player's own at a table: the chips, the questions with their answers, the buttons, and why not.

Every button comes from the checks of the engine itself, and a dimmed one has the code of its refusal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from engine import actions, allowed
from engine import round as rounds
from engine.actions import Move
from engine.allowed import InWindow
from engine.bets import Behind, SideBet, largest_pair
from engine.brought import Brought, BroughtBehind
from engine.errors import IllegalAction
from engine.notation import OWN_MOVES
from engine.questions import ask_id, questions_behind, questions_of
from engine.round import Asked, Question
from engine.rules import BoxLimit, Rules
from engine.shown import (
    AskView,
    BackableView,
    BackingView,
    BehindView,
    OptionView,
    OwnBehindView,
    OwnView,
    SideBetView,
)
from engine.strategy import chart_for, hint
from engine.table import Backer, Game, Kind, Phase, Purse, Seat, Status


def own_view(game: Game, player: str) -> OwnView:
    """What `player` holds, is asked and may do."""
    seats = game.seats_of(player)
    seat = seats[0] if seats else None
    purse = game.purse_of(player)
    asks = tuple(ask for one in seats for ask in _asks(game, one))
    if game.phase is Phase.BETTING:
        # The box that has no bet yet comes first.
        asks = tuple(sorted(asks, key=lambda ask: _answered(game, ask.box)))
    asks += tuple(_ask_behind(game, question) for question in questions_behind(game, player))
    brought = Brought(game.rules, game.record, game.round)
    return OwnView(
        player=player,
        seat=seat.number if seat else None,
        seats=tuple(one.number for one in seats),
        status=game.status_of(seat) if seat else "spectator",
        host=player == game.host,
        chips=game.chips_in_hand(seat) if seat else purse.chips if purse else 0,
        bet=seat.bet if seat else 0,
        pair_bet=seat.pair if seat else 0,
        sitting_out=seat.sitting_out if seat else False,
        asks=asks,
        actions=_buttons(game, seats),
        commands=tuple(_commands(game, seat, player)),
        last_bet=_last_bet(game, seats),
        min_bet=game.rules.min_bet,
        max_bet=game.rules.max_bet,
        bet_step=game.rules.bet_step,
        pair_bets=game.rules.pair_bets,
        refills=purse.refills if purse else 0,
        highest=purse.highest if purse else 0,
        hint=_hint(game, seats),
        hints=game.kind is Kind.SOLO and _has_chart(game.rules),
        backing=_backing(game, player, brought),
        behind=tuple(_behind(game, player, brought)),
    )


def laid_behind(backer: Backer, bet: Behind) -> BehindView:
    """A bet behind a box in the open window."""
    pair = SideBetView(bet.pair, None) if bet.pair else None
    return BehindView(backer.player, backer.name, bet.bet, pair, None, None)


def brought_behind(purse: Purse | None, bet: BroughtBehind) -> BehindView:
    """A bet behind a box of the shown round, of the owner of `purse`."""
    player, name = (purse.player, purse.name) if purse else ("", "")
    return BehindView(player, name, bet.staked, side_view(bet.pair), side_view(bet.insurance), bet.net)


def side_view(bet: SideBet | None) -> SideBetView | None:
    return SideBetView(bet.bet, bet.paid) if bet else None


def _behind(game: Game, player: str, brought: Brought) -> Iterator[OwnBehindView]:
    purse, backer = game.backing_purse_of(player), game.backer(player)
    if backer is not None and backer.laid:
        for one in backer.laid:
            seat = game.seat(one.box)
            yield OwnBehindView(one.box, seat.name if seat else "", laid_behind(backer, one))
        return
    # Others' new bets hide the old ones behind the same box.
    anew = {one.box for other in game.backers for one in other.laid}
    for bet in brought.behind_by(purse.stack) if purse else ():
        if bet.box not in anew:
            yield OwnBehindView(bet.box, _who_played(game, bet.box), brought_behind(purse, bet))


def _who_played(game: Game, number: int) -> str:
    """By now somebody else may sit there, or nobody."""
    purse = game.purse(game.round.box(number).stack) if game.round else None
    seat = game.seat(number)
    return purse.name if purse else seat.name if seat else ""


def _answered(game: Game, number: int) -> bool:
    seat = game.seat(number)
    return seat is not None and seat.answered


def _ask_behind(game: Game, question: Question) -> AskView:
    state, stack = game.round, question.stack
    assert state is not None
    answers: list[tuple[str, Move, int | None]] = []
    match question.asked:
        case Asked.INSURANCE:
            amount = rounds.insurance_limit(state, question)
            answers.append(("insure", actions.Insure(question.box, stack), amount))
        case Asked.EVEN_MONEY:
            answers.append(("even_money", actions.EvenMoney(question.box, stack), 0))
        case _:
            stake = state.box(question.box).hands[question.hand].stake_of(stack)
            answers.append(("follow", actions.Follow(question.box, stack), stake.bet))
            answers.append(("pass", actions.Pass(question.box, stack), None))
    if question.asked is not Asked.FOLLOW:
        answers.append(("decline", actions.Decline(question.box, stack), None))
    kind = question.asked.value
    if question.asked is Asked.FOLLOW and state.pending is not None:
        kind = "follow_split" if state.pending.split else "follow_double"
    options = tuple(
        _option(name, partial(allowed.check_answer_behind, game, question, move), amount)
        for name, move, amount in answers
    )
    return AskView(ask_id(game, question.number), question.box, kind, options, behind=True)


def _backing(game: Game, player: str, brought: Brought) -> BackingView | None:
    """None where `player` can have nothing to do with bets behind."""
    rules = game.rules
    if not rules.backing or not game.in_match:
        return None
    if game.seats_to_back_from(player) and not rules.players_may_back:
        return None
    window, purse = allowed.in_window(game, player), game.backing_purse_of(player)
    backer, stack = window.backer, purse.stack if purse else ""
    reason = _option("back", lambda: allowed.check_may_back(game, player)).reason
    chips = window.chips
    if game.phase is Phase.PLAYING and game.round is not None:
        chips = game.round.chips.get(stack, chips)
    return BackingView(
        ask=ask_id(game, backer.ask if backer else game.window),
        open=reason is None,
        reason=reason,
        chips=chips,
        laid=sum(one.bet + one.pair for one in backer.laid) if backer else 0,
        done=backer is not None and backer.done,
        waited=backer is not None and not backer.done and game.phase is Phase.BETTING,
        boxes=tuple(
            _backable(window, seat, reason)
            for seat in game.seats_in
            if seat.player != player and not seat.gone
        ),
        pair_bets=rules.pair_bets,
        pair_max=largest_pair(rules),
        net=_net_behind(brought, stack),
    )


def _backable(window: InWindow, seat: Seat, reason: str | None) -> BackableView:
    rules = window.game.rules
    laid = window.backer.on(seat.number) if window.backer else None
    if reason is None:
        reason = _option("back", lambda: window.check(seat.number, rules.min_bet, 0)).reason
    return BackableView(
        seat.number,
        seat.name,
        laid.bet if laid else 0,
        laid.pair if laid else 0,
        window.room(seat) if rules.box_limit is BoxLimit.SHARED else None,
        reason,
    )


def _net_behind(brought: Brought, stack: str) -> int | None:
    """What the shown round brought to a stack behind others' boxes, None while it runs or for nothing."""
    bets = brought.behind_by(stack) if brought.over else ()
    return sum(bet.net or 0 for bet in bets) if bets else None


def _last_bet(game: Game, seats: tuple[Seat, ...]) -> int:
    """What *repeat* lays: the last bet of the box that is asked first, else of any other."""
    open_first = sorted(seats, key=lambda seat: (seat.answered, not seat.last_bet, seat.number))
    return next((seat.last_bet for seat in open_first if seat.last_bet), 0)


def _has_chart(rules: Rules) -> bool:
    try:
        chart_for(rules)
    except IllegalAction:
        return False
    return True


def _hint(game: Game, seats: tuple[Seat, ...]) -> str | None:
    if game.kind is not Kind.SOLO or game.round is None:
        return None
    questions = [question for seat in seats for question in questions_of(game, seat)]
    move = hint(game.round, questions[0]) if questions else None
    return next((name for name, kind in OWN_MOVES.items() if isinstance(move, kind)), None)


def _asks(game: Game, seat: Seat) -> Iterator[AskView]:
    if game.phase is Phase.BETTING and seat.status is Status.IN:
        options = (
            _option("bet", lambda: allowed.check_bet(game, seat, game.rules.min_bet)),
            OptionView("take_back", seat.answered, None if seat.answered else "nothing_to_take_back"),
            OptionView("sit_out", not seat.sitting_out, "already_sitting_out" if seat.sitting_out else None),
        )
        yield AskView(ask_id(game, seat.ask), seat.number, "bet", options)
    for question in questions_of(game, seat):
        answers = tuple(_answer_options(game, question))
        yield AskView(ask_id(game, question.number), question.box, question.asked.value, answers)


def _answer_options(game: Game, question: Question) -> Iterator[OptionView]:
    for name, move in OWN_MOVES.items():
        option = _move_option(game, question, name, move(question.box))
        if option.enabled or question.asked is Asked.TURN:
            yield option


def _move_option(game: Game, question: Question, name: str, move: Move) -> OptionView:
    state = game.round
    assert state is not None

    def check() -> None:
        if rounds.check(state, move) != question:
            raise IllegalAction("not_asked")

    amount = None
    if question.asked is Asked.INSURANCE and name == "insure":
        amount = rounds.insurance_limit(state, question)
    elif question.asked is Asked.TURN and name in ("double", "split"):
        amount = state.box(question.box).hands[question.hand].bet
    return _option(name, check, amount)


def _option(name: str, check: Callable[[], object], amount: int | None = None) -> OptionView:
    try:
        check()
    except IllegalAction as refusal:
        return OptionView(name, False, refusal.code, amount, tuple(refusal.params.items()))
    return OptionView(name, True, None, amount)


def _buttons(game: Game, seats: tuple[Seat, ...]) -> tuple[OptionView, ...]:
    questions = [question for seat in seats for question in questions_of(game, seat)]
    if questions:
        question = questions[0]
        return tuple(
            _move_option(game, question, name, move(question.box)) for name, move in OWN_MOVES.items()
        )
    reason = "not_your_turn" if game.phase is Phase.PLAYING else "no_cards_yet"
    return tuple(OptionView(name, False, reason) for name in OWN_MOVES)


def _commands(game: Game, seat: Seat | None, player: str) -> Iterator[OptionView]:
    running = "match_running" if game.in_match else None
    host = None if player == game.host else "not_host"

    def option(name: str, reason: str | None) -> OptionView:
        return OptionView(name, reason is None, reason)

    match = None if game.kind is Kind.MATCH else "not_a_match"
    yield _option("sit", lambda: allowed.check_sit(game, player))
    kept = [one for one in game.seats_of(player) if not one.gone]
    alone = "alone_here" if game.kind is Kind.SOLO and len(kept) < 2 else None
    yield option("leave", alone or (None if kept else "not_seated"))
    yield _option("deal", lambda: allowed.check_deal(game, player))
    new = None if game.kind is Kind.SOLO else "not_alone"
    yield option("new_game", new or host or (None if game.begun else "game_is_new"))
    yield option("ready", match or running or (None if seat else "not_seated"))
    yield _option("start", lambda: allowed.check_start(game, player))
    yield option("remove", match or host or running)
    yield option("configure", match or host or (None if game.phase is Phase.LOBBY else "not_in_lobby"))
    yield option("back_to_lobby", match or host or (None if game.phase is Phase.OVER else "match_not_over"))
    in_match = match or (None if seat and game.in_match and seat.status is Status.IN else "not_in_match")
    yield option("resign", in_match)
    yield _option("offer_draw", lambda: allowed.check_offer_draw(game, player))
    asked = game.offer is not None and seat is not None and seat.number not in game.offer.accepted
    yield option("accept_draw", in_match or (None if asked else "no_offer"))
    yield option("refuse_draw", in_match or (None if asked else "no_offer"))
    yield option("stop_waiting", in_match)
