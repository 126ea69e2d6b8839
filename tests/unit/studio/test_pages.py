"""Who directs."""

from stringless.studio.pages import Page, Pages


def test_a_page_that_was_cut_off_directs_again_when_it_comes_back():
    pages = Pages()
    pages.add(Page(1, "page", False, "abc"))
    pages.add(Page(2, "page", False, "def"))
    assert pages.director == 1
    pages.add(Page(3, "page", False, "abc"))
    assert pages.director == 3, "it was the director, and its old connection is dead"
    pages.remove(1)
    assert pages.director == 3


def test_a_word_of_its_own_is_needed_for_that():
    pages = Pages()
    pages.add(Page(1, "page", False))
    pages.add(Page(2, "page", False))
    assert pages.director == 1
    pages.add(Page(3, "page", True, "abc"))
    pages.add(Page(4, "page", False, "abc"))
    assert pages.director == 1
