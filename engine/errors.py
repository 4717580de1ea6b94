"""Why something was refused: a stable code and its figures, never a sentence."""

from __future__ import annotations


class EngineError(Exception):
    """Base of every refusal of the engine.

    `code` is stable and meant for programs; `params` holds the figures that a sentence about it needs.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        figures = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.code} ({figures})" if figures else self.code


class IllegalAction(EngineError):
    """The action is well formed, but not allowed now, here or for this person."""


class InvalidRules(EngineError):
    """A rule set that does not exist or could not be played."""


class NotationError(EngineError):
    """Text or JSON that does not say a card, an action or a case."""


class ShoeEmpty(EngineError):
    """A card was needed and the shoe had none."""

    def __init__(self) -> None:
        super().__init__("shoe_empty")


class Differs(EngineError):
    """Something that was kept of a game or exported does not follow from the rest of it."""
