"""Finds all places of a text that a regular expression matches."""

import json
import re
import sys

FLAGS = {"ignore_case": re.IGNORECASE, "multi_line": re.MULTILINE, "dot_all": re.DOTALL, "ascii": re.ASCII}

asked = json.load(sys.stdin)
flags = re.NOFLAG
for name in asked.get("flags", []):
    flags |= FLAGS[name]
try:
    pattern = re.compile(asked["pattern"], flags)
except (re.error, OverflowError, RecursionError) as fault:
    sys.exit(f"the pattern is not a Python regular expression: {fault}")

limit = asked.get("limit", 1000)
matches, count = [], 0
for match in pattern.finditer(asked["text"]):
    count += 1
    if count <= limit:
        matches.append({
            "text": match.group(),
            "start": match.start(),
            "end": match.end(),
            "groups": list(match.groups()),
            "named": match.groupdict(),
        })
print(json.dumps({"count": count, "is_cut": count > limit, "matches": matches}))
