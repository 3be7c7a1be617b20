"""Encodes text, or decodes it. Text is UTF-8."""

import base64
import binascii
import html
import json
import re
import sys
import urllib.parse


def from_base64(text):
    """Standard or URL-safe, with or without padding and line ends."""
    bare = re.sub(r"\s", "", text).replace("-", "+").replace("_", "/").rstrip("=")
    return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)


def from_url(text):
    wrong = re.search(r"%(?![0-9a-fA-F]{2})", text)
    if wrong:
        raise ValueError(f"the % at character {wrong.start() + 1} is not followed by two hex digits")
    return urllib.parse.unquote_to_bytes(text)


ENCODE = {
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64url": lambda text: base64.urlsafe_b64encode(text.encode()).decode().rstrip("="),
    "hex": lambda text: text.encode().hex(),
    "url": lambda text: urllib.parse.quote(text, safe=""),
    "html": html.escape,
}
DECODE = {
    "base64": from_base64,
    "base64url": from_base64,
    "hex": lambda text: bytes.fromhex(re.sub(r"^\s*0x|[\s:]", "", text)),
    "url": from_url,
    "html": lambda text: html.unescape(text).encode(),
}

asked = json.load(sys.stdin)
how = asked["encoding"]
try:
    text = DECODE[how](asked["text"]).decode() if asked.get("decode") else ENCODE[how](asked["text"])
except UnicodeDecodeError as fault:
    sys.exit(f"what it decodes to is not UTF-8 text (byte {fault.start}): it may be a file, not a text")
except UnicodeEncodeError:
    sys.exit("the text has half a character in it (a lone surrogate), which has no UTF-8")
except (ValueError, binascii.Error) as fault:
    sys.exit(f"the text is not {how}: {fault}")
print(json.dumps({"text": text}))
