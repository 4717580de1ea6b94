from tables.recent import Recent


def test_what_was_looked_at_last_is_kept_as_what_was_put_last_is() -> None:
    recent: Recent[int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert (recent.get("a"), recent.get("b"), recent.get("c")) == (1, None, 3)
    recent.drop("a")
    assert recent.get("a") is None
