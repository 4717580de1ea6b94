"""Plays a match of two with three who bet behind, in the data directory of a site: `python -m` this.

In its second round there are splits, pairs, insurance and bets behind; it prints the address of the game.
"""

from __future__ import annotations

import os
import sys

import django

ADDRESS = "game: "
RTL = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET} \N{HEBREW LETTER SHIN}"
PLAYERS = ("Alice", "Bob")
BACKERS = ("Erin Wwwwwwwwwwwwwww", "Kim", RTL)
# Alice may split her eights, and the dealer shows an ace and has no blackjack.
CARDS = "8 ? A 8 ? low"
WANTED = ("split", "follow", "insure", "stand", "decline", "pass")


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "openseat_site.settings")
    django.setup()
    from engine.game import Kind, Phase
    from engine.rules import PRESETS
    from tables import codes, services
    from tables.models import Game
    from tables.moves import with_clock
    from tests.tables.friends import Friends, FrozenClock, Seeds

    guests = {name: codes.new_guest_id() for name in (*PLAYERS, *BACKERS)}
    rules = with_clock(PRESETS["openseat"], on=True)
    code = services.open_table(guests["Alice"], "Alice", rules, Kind.MATCH, 10, listed=True)
    for name in (*PLAYERS[1:], *BACKERS):
        services.join(code, guests[name], name, sit=name in PLAYERS)
    table = Friends(code, Seeds(), FrozenClock())
    table.here(*guests.values())
    table.command(guests["Bob"], "ready", ready="1")
    table.command(guests["Alice"], "start")

    def answered() -> bool:
        """Whether somebody was asked something about the cards; it is answered then."""
        for guest in guests.values():
            for ask in table.own(guest).asks:
                possible = {option.action: option for option in ask.options if option.enabled}
                action = next((one for one in WANTED if one in possible), "")
                if action:
                    fields = {"amount": str(possible[action].amount)} if action == "insure" else {}
                    table.send(guest, action=action, ask=ask.ask, **fields)
                    return True
        return False

    for number in (1, 2, 3):
        if number == 2:
            table.reseed(CARDS)
            for name in BACKERS:
                for seat in (1, 2):
                    backing = table.own(guests[name]).backing
                    assert backing is not None
                    bets = {"seat": str(seat), "amount": "50", "pair": "10"}
                    table.send(guests[name], action="back", ask=backing.ask, **bets)
        for name in PLAYERS:
            table.answer(guests[name], "bet", amount="100", pair="10")
        for name in BACKERS:
            backing = table.own(guests[name]).backing
            if backing is not None and backing.waited and not backing.done:
                table.send(guests[name], action="done", ask=backing.ask)
        while table.seen().game.phase is Phase.PLAYING and answered():
            pass
        assert table.view.round_number > number
    sys.stdout.write(f"{ADDRESS}/games/{Game.objects.get(table__code=code).pk}/\n")


if __name__ == "__main__":
    main()
