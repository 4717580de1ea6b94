"""Blackjack, complete and alone: cards, rules, rounds and matches, without clock, input or hidden chance."""
