"""Reads dates, and knows which of them are worked on."""

import sys
from datetime import date

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def date_of(text):
    try:
        return date.fromisoformat(text.strip())
    except ValueError as fault:
        sys.exit(f'"{text[:80]}" is not a date like 2026-03-29: {fault}')


class Workdays:
    """All days but those of the weekend and the holidays."""

    def __init__(self, asked):
        self.weekend = {DAYS.index(day) for day in asked.get("weekend", ["saturday", "sunday"])}
        self.holidays = {date_of(text) for text in asked.get("holidays", [])}

    def has(self, day):
        return day.weekday() not in self.weekend and day not in self.holidays

    def between(self, first, last):
        """How many there are from `first` up to, not with, `last`, which is not before it."""
        weeks, rest = divmod((last - first).days, 7)
        count = weeks * (7 - len(self.weekend))
        count += sum(1 for more in range(rest) if (first.weekday() + more) % 7 not in self.weekend)
        off = (day for day in self.holidays if first <= day < last and day.weekday() not in self.weekend)
        return count - sum(1 for _ in off)
