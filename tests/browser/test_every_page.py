from playwright.sync_api import expect

from tests.browser.conftest import NewGuest


def test_a_wrong_address_is_told_in_words_and_the_browser_has_nothing_to_complain_of(
    new_guest: NewGuest,
) -> None:
    alice = new_guest()
    alice.allow("404")
    alice.page.goto("/no-such-page/")
    expect(alice.page.get_by_role("heading", level=1)).to_have_text("There is nothing at this address")


def test_the_language_is_chosen_below_each_page_and_kept(new_guest: NewGuest) -> None:
    alice = new_guest()
    alice.allow("404")
    alice.page.goto("/no-such-page/")
    alice.page.get_by_role("button", name="Українська").click()
    expect(alice.page.locator("html")).to_have_attribute("lang", "uk")
    assert alice.page.url.endswith("/no-such-page/")
    alice.page.reload()
    expect(alice.page.locator("html")).to_have_attribute("lang", "uk")


def test_the_browser_s_own_language_comes_first(new_guest: NewGuest) -> None:
    alice = new_guest(locale="bg-BG")
    alice.allow("404")
    alice.page.goto("/no-such-page/")
    expect(alice.page.locator("html")).to_have_attribute("lang", "bg")


def test_the_page_s_policy_lets_no_inline_script_run(new_guest: NewGuest) -> None:
    mallory = new_guest()
    mallory.allow("404|Content Security Policy|CSP: script-src")
    mallory.page.goto("/no-such-page/")
    mallory.page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'document.title=\"owned\"';"
        " document.body.append(s); }"
    )
    expect(mallory.page).not_to_have_title("owned")
    assert any("CSP: script-src" in problem for problem in mallory.problems)
