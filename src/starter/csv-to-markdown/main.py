"""Turns CSV into a Markdown table."""

import json
import re
import sys

from read_csv import read_table

NUMBER = re.compile(r"\s*[-+]?[\d.,' ]*\d\s*%?\s*")


def cell(text):
    escaped = text.strip().replace("\\", "\\\\").replace("|", "\\|")
    return re.sub(r"\r\n|\r|\n", "<br>", escaped)


def line(cells):
    return "| " + " | ".join(cells) + " |"


asked = json.load(sys.stdin)
columns, rows, _ = read_table(asked["csv"], asked.get("delimiter", "auto"))
if not columns:
    sys.exit("csv is empty: its first row names the columns")


def is_numbers(index):
    fields = [row[index] for row in rows if row[index].strip()]
    return bool(fields) and all(NUMBER.fullmatch(field) for field in fields)


rules = ["---:" if asked.get("align_numbers", True) and is_numbers(index) else "---" for index in range(len(columns))]
table = [line(map(cell, columns)), line(rules), *(line(map(cell, row)) for row in rows)]
print(json.dumps({"markdown": "\n".join(table), "rows": len(rows), "columns": len(columns)}))
