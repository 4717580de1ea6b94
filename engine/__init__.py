"""Blackjack, complete and alone: cards, rules, rounds and matches, without clock, input or hidden chance.

A round follows from its rules, the order of its shoe, the bets and the moves. Everything is a value: a move
gives the next round and leaves the last one as it was.

>>> from engine.actions import Split, Stand
>>> from engine.errors import IllegalAction
>>> from engine.notation import format_cards, format_move, parse_cards
>>> from engine.round import apply, deal, legal_actions
>>> from engine.rules import PRESETS
>>> from engine.shoe import Shoe

One player bets 100 of 1,000 chips on box 1 and gets a pair of eights against a six:

>>> shoe = Shoe(parse_cards("8s 6h 8d Tc 3h Kd Qs 9c"))
>>> table = deal(PRESETS["openseat"], shoe, {1: 100}, chips={"1": 1_000})
>>> format_cards(table.box(1).hands[0].cards), format_cards(table.dealer_open)
('8s 8d', '6h')
>>> [format_move(move) for move in legal_actions(table)]
['1 hit', '1 stand', '1 double', '1 split']

Both hands of a split get their second card at once and are played from left to right; then the dealer shows
the hole card and draws to 17:

>>> for move in (Split(1), Stand(1), Stand(1)):
...     table = apply(table, move)
>>> [(format_cards(hand.cards), hand.stakes[0].paid) for hand in table.box(1).hands]
[('8s 3h', 200), ('8d Kd', 200)]
>>> format_cards(table.dealer), table.chips["1"]
('6h Tc Qs', 1200)

What may not be done is refused with a code and changes nothing:

>>> try:
...     apply(table, Stand(1))
... except IllegalAction as refused:
...     refused.code
'round_settled'

The same round in one line of notation:

>>> from engine.notation import parse_round
>>> line = "openseat; 8s 6h 8d Tc 3h Kd Qs 9c; 1=100; 1 split, 1 stand, 1 stand"
>>> parse_round(line).play() == table
True

`engine.game` plays rounds in sequence with seats and chips, `engine.views` tells what each viewer may know,
`engine.shoe` fixes the cards by a seed whose hash can be shown beforehand, and ``python -m engine`` is all of
it from a command line.
"""
