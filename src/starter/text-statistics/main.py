"""Counts what is in a text."""

import json
import re
import sys
from collections import Counter

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
WORDS_A_MINUTE = 238  # silent reading of English prose: Brysbaert 2019


def words_of(text):
    """Parts between blanks and dashes that hold a letter or digit; Chinese and Japanese signs count one by one."""
    for part in re.sub("[\u2013\u2014\u2026]", " ", text).split():
        for piece in re.split(f"([{CJK}])", part):
            if any(sign.isalnum() for sign in piece):
                yield piece


def bare(word):
    return re.sub(r"^[\W_]+|[\W_]+$", "", word.casefold()) or word.casefold()


def sentences_in(text):
    ended = re.split(r"[.!?]+[\"'\u201d\u2019)\]]*(?=\s|$)|[\u3002\uff01\uff1f]+", text)
    return sum(1 for part in ended if any(sign.isalnum() for sign in part))


asked = json.load(sys.stdin)
text = asked["text"].replace("\r\n", "\n").replace("\r", "\n")
words = list(words_of(text))
frequent = Counter(map(bare, words)).most_common(asked.get("top", 5))
print(json.dumps({
    "words": len(words),
    "characters": len(text),
    "characters_without_blanks": sum(1 for sign in text if not sign.isspace()),
    "sentences": sentences_in(text),
    "lines": len(text.removesuffix("\n").split("\n")) if text else 0,
    "paragraphs": sum(1 for part in re.split(r"\n[^\S\n]*\n", text) if part.strip()),
    "unique_words": len(set(map(bare, words))),
    "reading_minutes": round(len(words) / WORDS_A_MINUTE, 1),
    "most_frequent": [{"word": word, "count": count} for word, count in frequent],
}))
