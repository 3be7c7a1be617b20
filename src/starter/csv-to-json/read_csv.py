"""Reads CSV as people have it: any of four delimiters, quotes, a byte order mark, either line end."""

import csv
import io
import sys

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
csv.field_size_limit(1 << 30)


def rows_of(text, delimiter):
    """The rows that are not blank. Ends the run when a quote is wrong."""
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=delimiter, strict=True)
    try:
        return [row for row in reader if row]
    except csv.Error as fault:
        sys.exit(f"line {reader.line_num} is not CSV: {fault}")


def find_delimiter(text):
    """The one that splits most of the first rows into as many fields as the first row; a comma when none does."""

    def score(delimiter):
        head = "".join(text.removeprefix("\ufeff").splitlines(keepends=True)[:50])
        try:
            rows = [row for row in csv.reader(io.StringIO(head, newline=""), delimiter=delimiter) if row]
        except csv.Error:
            return (0, 0)
        width = len(rows[0]) if rows else 0
        return (sum(1 for row in rows if len(row) == width), width) if width > 1 else (0, 0)

    return max(DELIMITERS.values(), key=score)


def read_table(text, asked="auto", name="the table"):
    """Names of the columns, rows of as many fields, and the delimiter. Ends the run with words when they differ."""
    delimiter = DELIMITERS.get(asked) or find_delimiter(text)
    rows = rows_of(text, delimiter)
    columns = rows[0] if rows else []
    for number, column in enumerate(columns):
        if not column.strip():
            sys.exit(f"{name}: column {number + 1} has no name in the first row")
        if column in columns[:number]:
            sys.exit(f'{name}: two columns are named "{column[:80]}"')
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(columns):
            sys.exit(f"{name}: row {number} has {len(row)} fields, the first row has {len(columns)}")
    return columns, rows[1:], delimiter
