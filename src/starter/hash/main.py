"""Hashes a text or a file."""

import base64
import hashlib
import json
import sys
import zlib

CHUNK = 1 << 20


class Crc32:
    """zlib's CRC-32 with the methods of hashlib."""

    def __init__(self):
        self.value = 0

    def update(self, data):
        self.value = zlib.crc32(data, self.value)

    def digest(self):
        return self.value.to_bytes(4, "big")


asked = json.load(sys.stdin)
if ("text" in asked) == ("file" in asked):
    sys.exit("give one of text and file")
algorithm = asked.get("algorithm", "sha256")
made = Crc32() if algorithm == "crc32" else hashlib.new(algorithm.replace("-", "_"))
size = 0
if "text" in asked:
    data = asked["text"].encode()
    size = len(data)
    made.update(data)
else:
    with open(asked["file"], "rb") as file:
        while piece := file.read(CHUNK):
            size += len(piece)
            made.update(piece)
hexed = made.digest().hex()
expected = asked.get("expected")
print(json.dumps({
    "algorithm": algorithm,
    "hex": hexed,
    "base64": base64.b64encode(made.digest()).decode(),
    "bytes": size,
    "matches": None if expected is None else expected.strip().lower() == hexed,
}))
