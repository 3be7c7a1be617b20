"""Says what changed between two tables."""

import json
import sys
from collections import Counter

from read_csv import read_table


def table(name):
    columns, rows, _ = read_table(asked[name], asked.get("delimiter", "auto"), name)
    return columns, [dict(zip(columns, row)) for row in rows]


def by_key(name, columns, rows):
    for column in key:
        if column not in columns:
            sys.exit(f'{name} has no column "{column[:80]}"; it has: {", ".join(columns)[:200]}')
    found = {}
    for row in rows:
        value = tuple(row[column] for column in key)
        if value in found:
            sys.exit(f"{name} has two rows with the key {json.dumps(value, ensure_ascii=False)[:200]}")
        found[value] = row
    return found


def compare_by_key():
    """Rows that have the same key are the same row."""
    old, new = by_key("before", columns_before, before), by_key("after", columns_after, after)
    shared = [column for column in columns_before if column in columns_after]
    changed = []
    for value, row in old.items():
        other = new.get(value)
        changes = [
            {"column": column, "before": row[column], "after": other[column]}
            for column in shared
            if other is not None and row[column] != other[column]
        ]
        if changes:
            changed.append({"key": dict(zip(key, value)), "changes": changes})
    added = [row for value, row in new.items() if value not in old]
    removed = [row for value, row in old.items() if value not in new]
    return added, removed, changed, len(old) - len(removed) - len(changed)


def compare_whole():
    """Without a key only whole rows are the same, however they are ordered."""
    old, new = (Counter(tuple(sorted(row.items())) for row in rows) for rows in (before, after))
    added = [dict(row) for row in (new - old).elements()]
    removed = [dict(row) for row in (old - new).elements()]
    return added, removed, [], len(before) - len(removed)


asked = json.load(sys.stdin)
key = asked.get("key", [])
columns_before, before = table("before")
columns_after, after = table("after")
added, removed, changed, unchanged = compare_by_key() if key else compare_whole()
print(json.dumps({
    "is_same": not (added or removed or changed) and set(columns_before) == set(columns_after),
    "unchanged": unchanged,
    "added": added,
    "removed": removed,
    "changed": changed,
    "columns_added": [column for column in columns_after if column not in columns_before],
    "columns_removed": [column for column in columns_before if column not in columns_after],
}))
