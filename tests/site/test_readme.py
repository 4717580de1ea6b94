"""What the README quotes is what the code says."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_example_of_adding_a_rule_is_the_real_one() -> None:
    readme = (ROOT / "README.md").read_text()
    section = readme.split("## Adding a rule")[1].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    quoted = [line.split("#")[0].strip() for block in blocks for line in block.splitlines() if line.strip()]
    source = (ROOT / "engine/rules.py").read_text() + (ROOT / "engine/round.py").read_text()
    assert quoted
    assert [line for line in quoted if line not in source] == []
    for path in re.findall(r"`((?:engine|tables|tests)/[\w/.]+)`", section):
        assert (ROOT / path).exists(), path
