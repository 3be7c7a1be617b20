"""Says how far apart two dates or times are."""

import json
import re
import sys
from datetime import date

from moments import moment_of, zone_of
from workdays import Workdays, date_of


def is_date(text):
    return re.fullmatch(r"\s*\d{4}-?\d\d-?\d\d\s*", text) is not None


def months_between(first, last):
    """Whole months and the days that are left over. A month's end counts from the last day of a shorter month."""
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    year, month = divmod(first.year * 12 + first.month - 1 + months, 12)
    for day in range(first.day, 0, -1):
        try:
            return months, (last - date(year, month + 1, day)).days
        except ValueError:
            continue


asked = json.load(sys.stdin)
zone = zone_of(asked.get("time_zone", "UTC"))
if is_date(asked["from"]) != is_date(asked["to"]):
    sys.exit("give two dates, or two dates with times")
seconds = None
if is_date(asked["from"]):
    start, end = date_of(asked["from"]), date_of(asked["to"])
else:
    moments = [moment_of(asked[name], zone) for name in ("from", "to")]
    seconds = moments[1].timestamp() - moments[0].timestamp()
    start, end = (moment.date() for moment in moments)

sign = -1 if end < start else 1
first, last = sorted((start, end))
months, days = months_between(first, last)
print(json.dumps({
    "days": (end - start).days,
    "weeks": round((end - start).days / 7, 2),
    "business_days": sign * Workdays(asked).between(first, last),
    "years": sign * (months // 12),
    "months": sign * (months % 12),
    "days_after_months": sign * days,
    "seconds": None if seconds is None else round(seconds, 3),
    "hours": None if seconds is None else round(seconds / 3600, 4),
}))
