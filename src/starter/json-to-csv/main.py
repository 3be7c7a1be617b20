"""Turns JSON rows into a CSV file."""

import csv
import io
import json
import sys

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def field(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def harmless(text):
    """What a spreadsheet would run as a formula becomes a text. A plain negative number stays one."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") and not is_number(text) else text


def is_number(text):
    try:
        float(text)
        return True
    except ValueError:
        return False


asked = json.load(sys.stdin)
rows = asked["rows"]
shapes = {type(row) for row in rows}
if len(shapes) > 1:
    sys.exit("rows must be all objects or all lists, not both")
is_lists = shapes == {list}
columns = asked.get("columns")
if columns is None and not is_lists:
    columns = list(dict.fromkeys(name for row in rows for name in row))
if is_lists and columns is not None:
    for number, row in enumerate(rows, 1):
        if len(row) != len(columns):
            sys.exit(f"row {number} has {len(row)} values for {len(columns)} columns")

clean = harmless if asked.get("escape_formulas") else str
made = io.StringIO()
writer = csv.writer(made, delimiter=DELIMITERS[asked.get("delimiter", "comma")], lineterminator="\n")
if columns:
    writer.writerow([clean(name) for name in columns])
for row in rows:
    values = row if is_lists else [row.get(name) for name in columns]
    writer.writerow([clean(field(value)) for value in values])
text = made.getvalue()
with open("table.csv", "w", encoding="utf-8", newline="") as file:
    file.write(text)
width = len(columns) if columns is not None else max((len(row) for row in rows), default=0)
print(json.dumps({"csv": text, "rows": len(rows), "columns": width}, ensure_ascii=False))
