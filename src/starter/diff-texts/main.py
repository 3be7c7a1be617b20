"""Compares two texts line by line."""

import difflib
import json
import sys


def lines_of(text):
    """Ended by \\n alone, as patch and git read them."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def unified(before, after, context):
    """A unified diff that patch takes, also where the last line has no end."""
    parts = []
    for line in difflib.unified_diff(before, after, "before", "after", n=context):
        parts.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(parts)


asked = json.load(sys.stdin)
before, after = lines_of(asked["before"]), lines_of(asked["after"])
matcher = difflib.SequenceMatcher(None, before, after)
steps = matcher.get_opcodes()
print(json.dumps({
    "is_same": asked["before"] == asked["after"],
    "lines_added": sum(end - start for kind, _, _, start, end in steps if kind != "equal"),
    "lines_removed": sum(end - start for kind, start, end, _, _ in steps if kind != "equal"),
    "similarity": round(matcher.ratio(), 4),
    "diff": unified(before, after, asked.get("context", 3)),
}))
