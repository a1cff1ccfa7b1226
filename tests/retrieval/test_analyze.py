"""Analyzers on text that breaks analyzers."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import MissingExtra, UnknownName
from cranfield.retrieval.analyze import NAMES, STOP_WORDS, Analyzer, analyzer

ALL = {name: analyzer(name) for name in NAMES}

CASES = {
    "whitespace": [
        ("The ＡＢＣ, naïve!", ["the", "ａｂｃ,", "naïve!"]),
        ("空指针 异常\u3000怎么", ["空指针", "异常", "怎么"]),
    ],
    "standard": [
        ("don’t stop: U.S.A. 3.14 1,000", ["don’t", "stop", "u.s.a", "3.14", "1,000"]),
        ("ERR_CONN_REFUSED __init__ ___", ["err_conn_refused", "__init__"]),
        ("state-of-the-art and/or", ["state", "of", "the", "art", "and", "or"]),
        ("ＮＤＣＧ＠１０ ﬁne ﾊﾝｶｸ", ["ndcg", "10", "fine", "ハンカク"]),
        ("中文ABC混排x1", ["中", "文", "abc", "混", "排", "x1"]),
        ("カタカナ ひら 한국어", ["カタカナ", "ひ", "ら", "한국어"]),
        ("हिन्दी में naive\u0308", ["हिन्दी", "में", "naivë"]),
        ("🎉👍🏽 🇨🇳 👨‍👩‍👧ok", ["🎉", "👍🏽", "🇨🇳", "👨‍👩‍👧", "ok"]),
        ("𠀀𪜀", ["𠀀", "𪜀"]),
    ],
    "english": [
        ("The cat's flies are not flying", ["cat", "fli", "fly"]),
        ("CAT'S generalizations", ["cat", "gener"]),
        ("it is no to be", []),
        ("as us is gas", ["us", "ga"]),
        ("'s ’s", ["s", "s"]),
    ],
    "cjk-bigram": [
        ("倒排索引Index中", ["倒排", "排索", "索引", "index", "中"]),
        ("東京タワー 서울", ["東京", "京タ", "タワ", "ワー", "서울"]),
        ("你好。世界", ["你好", "世界"]),
    ],
    "cjk-unigram": [("倒排Index ひら", ["倒", "排", "index", "ひ", "ら"])],
    "chinese": [
        ("倒排索引的原理", ["倒排", "索引", "的", "原理"]),
        ("Java中的死锁", ["java", "中", "的", "死锁"]),
    ],
    "mixed": [
        ("NullPointerException怎么解决？", ["nullpointerexception", "怎么", "解决"]),
        (
            "在ArrayList中遇到ERR_CONN_REFUSED",
            ["在", "arraylist", "中", "遇到", "err_conn_refused"],
        ),
        ("ＭｙＳＱＬ错误1213", ["mysql", "错误", "1213"]),
        ("java.util.List std::move C++ C# F#", ["java.util.list", "std::move", "c++", "c#", "f#"]),
        (
            "ORA-00942 utf-8 0x1F v1.2.3 robots.txt",
            "ora-00942 utf-8 0x1f v1.2.3 robots.txt".split(),
        ),
        ("HTTPServer ArrayList's e2e", ["httpserver", "arraylist", "e2e"]),
        ("The cat's flies, don't, 1,000 and/or naïve", ["cat", "fli", "don't", "1,000", "naïv"]),
        ("well-known 2019-05", ["well", "known", "2019", "05"]),
        ("a_b_ _ C+", ["a_b_", "c"]),
    ],
}


@pytest.mark.parametrize(
    ("name", "text", "terms"),
    [(name, text, terms) for name, cases in CASES.items() for text, terms in cases],
)
def test_terms(name: str, text: str, terms: list[str]) -> None:
    assert ALL[name](text) == terms


def test_mixed_is_english_where_the_text_is_english_prose() -> None:
    text = "It wasn't the inverted index's fault: retrieval systems, 3.5 times faster, were tested."
    assert ALL["mixed"](text) == ALL["english"](text)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text())
def test_any_text_gives_terms_that_hold_no_blank(name: str, text: str) -> None:
    terms = ALL[name](text)
    assert all(term and not any(c.isspace() for c in term) for term in terms)
    assert terms == ALL[name](text)


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"whitespace"}))
@given(text=st.text(st.sampled_from("aZé1_.'’,中文かカ한ＡＢ１ 🎉-#+:")))
def test_compatibility_forms_do_not_matter(name: str, text: str) -> None:
    import unicodedata

    assert ALL[name](text) == ALL[name](unicodedata.normalize("NFKC", text))


@pytest.mark.parametrize("name", NAMES)
def test_threads_get_the_same_terms(name: str) -> None:
    texts = [f"Running tests{i}ings 倒排索引 generalization flies {i}" for i in range(200)]
    expected = [analyzer(name)(t) for t in texts]
    fresh = analyzer(name)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(fresh, texts)) == expected


def test_an_analyzer_says_what_it_does() -> None:
    mixed = ALL["mixed"]
    assert str(mixed) == "mixed"
    assert "identifiers whole" in repr(mixed)
    assert mixed.config["stemmer"] == "porter"
    assert mixed.config["words"].startswith("rjieba ")
    assert analyzer(mixed) is mixed


def test_one_of_ones_own() -> None:
    own = Analyzer("chars", "every character", list, {})
    assert own("ab") == ["a", "b"]


def test_a_name_nobody_knows_lists_the_names() -> None:
    with pytest.raises(UnknownName, match="whitespace"):
        analyzer("klingon")


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("english", "Stemmer", "bm25"), ("chinese", "rjieba", "chinese"), ("mixed", "rjieba", "chin")],
)
def test_what_is_missing_is_named(
    name: str, module: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=extra):
        analyzer(name)


def test_the_stop_words_are_lucenes() -> None:
    assert len(STOP_WORDS) == 33
