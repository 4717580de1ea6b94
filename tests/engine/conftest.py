import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "modest",
    max_examples=40,
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", settings.get_profile("modest"), max_examples=500)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "modest"))

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="session")
def dealer_chances() -> Any:
    """The dealer's final totals by upcard: six decks, S17, from exact analysis."""
    return json.loads((DATA / "openseat_dealer.json").read_text())["with_blackjack"]
