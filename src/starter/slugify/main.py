"""Turns a title into a name for addresses and files."""

import json
import re
import sys
import unicodedata

LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "ħ": "h", "ŋ": "n",
    "&": " and ", "@": " at ", "%": " percent ", "€": " euro ", "£": " pound ", "$": " dollar ", "'": "", "’": "",
}
GERMAN = {"ä": "ae", "ö": "oe", "ü": "ue"}
CYRILLIC = dict(zip(
    "абвгдезийклмнопрстуфыэёжхцчшщюяъьєіїґ",
    "a b v g d e z i y k l m n o p r s t u f y e yo zh kh ts ch sh shch yu ya".split() + ["", "", "ye", "i", "yi", "g"],
))
GREEK = dict(zip(
    "αβγδεζηθικλμνξοπρσςτυφχψω",
    "a v g d e z i th i k l m n x o p r s s t y f ch ps o".split(),
))


def without_accents(text):
    return "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))


def latin(text):
    """In Latin letters as far as they are known here; й and ї are looked up before their marks are taken off."""
    spelled = "".join(TABLE.get(sign, sign) for sign in unicodedata.normalize("NFKC", text))
    return "".join(TABLE.get(sign, sign) for sign in without_accents(spelled))


def cut(slug, most, separator):
    """At the end of a word where one ends in time."""
    if len(slug) <= most:
        return slug
    whole = slug[: most + 1].rpartition(separator)[0]
    return (whole or slug[:most]).strip(separator)


asked = json.load(sys.stdin)
separator = asked.get("separator", "-")
TABLE = LETTERS | CYRILLIC | GREEK | (GERMAN if asked.get("german") else {})
text = asked["text"].lower()
if asked.get("keep_unicode"):
    kept = (sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in unicodedata.normalize("NFC", text))
    words = "".join(kept).split()
else:
    words = re.findall(r"[a-z0-9]+", latin(text))
slug = cut(separator.join(words), asked.get("max_length", 80), separator)
if not slug:
    sys.exit("nothing of the text can stand in a slug; with keep_unicode letters of every script can")
print(json.dumps({"slug": slug}))
