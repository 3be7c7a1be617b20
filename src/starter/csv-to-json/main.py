"""Turns CSV into JSON rows."""

import json
import re
import sys

from read_csv import DELIMITERS, find_delimiter, read_table, rows_of

NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
WORDS = {"": None, "true": True, "false": False, "null": None}


def typed(field):
    """A number only where nothing of its spelling is lost: 007 and 12345678901234567890 stay texts."""
    if field.lower() in WORDS:
        return WORDS[field.lower()]
    if not NUMBER.fullmatch(field):
        return field
    if re.fullmatch(r"-?\d+", field):
        return int(field) if len(field.lstrip("-")) <= 15 and field != "-0" else field
    digits = re.sub(r"[eE].*|\D", "", field).lstrip("0")
    number = float(field)
    is_exact = len(digits) <= 15 and abs(number) < 1e300 and (number != 0 or not digits)
    return number if is_exact else field


asked = json.load(sys.stdin)
if ("csv" in asked) == ("file" in asked):
    sys.exit("give one of csv (a text) and file")
try:
    text = asked["csv"] if "csv" in asked else open(asked["file"], encoding="utf-8", newline="").read()
except UnicodeDecodeError as fault:
    sys.exit(f"the file is not UTF-8 at byte {fault.start}: save it as UTF-8")

given = asked.get("delimiter", "auto")
convert = typed if asked.get("types") else str
if asked.get("header", True):
    columns, rows, delimiter = read_table(text, given)
    made = [dict(zip(columns, map(convert, row))) for row in rows]
else:
    delimiter = DELIMITERS.get(given) or find_delimiter(text)
    columns, made = [], [list(map(convert, row)) for row in rows_of(text, delimiter)]
names = {sign: name for name, sign in DELIMITERS.items()}
print(json.dumps({"count": len(made), "delimiter": names[delimiter], "columns": columns, "rows": made}))
