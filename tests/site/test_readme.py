"""What the README quotes is what the code says."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KINDS = (".py", ".css", ".js")


def adding_a_rule() -> str:
    return (ROOT / "README.md").read_text().split("## Adding a rule")[1].split("\n## ")[0]


def test_the_example_of_adding_a_rule_is_the_real_one() -> None:
    section = adding_a_rule()
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    quoted = [line.split("#")[0].strip() for block in blocks for line in block.splitlines() if line.strip()]
    source = (ROOT / "engine/rules.py").read_text() + (ROOT / "engine/round.py").read_text()
    assert quoted
    assert [line for line in quoted if line not in source] == []
    for path in re.findall(r"`((?:engine|tables|tests)/[\w/.]+)`", section):
        assert (ROOT / path).exists(), path


def test_every_place_that_knows_the_example_is_named() -> None:
    sources = [
        path for top in ("engine", "tables") for path in (ROOT / top).rglob("*.*") if path.suffix in KINDS
    ]
    # `charlie=5` stands in examples of something else.
    knows = {path for path in sources if re.search(r"charlie(?!=\d)", path.read_text(), re.IGNORECASE)}
    named = re.findall(r"`((?:engine|tables)/[\w/.]+)`", adding_a_rule())
    assert {str(path.relative_to(ROOT)) for path in knows} == {*named}
