"""Counts business days forwards or backwards from a date."""

import json
import sys
from datetime import timedelta

from workdays import DAYS, Workdays, date_of

asked = json.load(sys.stdin)
workdays = Workdays(asked)
left = asked["days"]
day = date_of(asked["start"])
step = timedelta(days=-1 if left < 0 else 1)
skipped = set()
try:
    while left != 0 or not workdays.has(day):
        day += step
        if workdays.has(day):
            left -= step.days if left != 0 else 0
        elif day.weekday() not in workdays.weekend:
            skipped.add(day.isoformat())
except OverflowError:
    sys.exit("the day lies outside the years 1 to 9999")
print(json.dumps({"date": day.isoformat(), "weekday": DAYS[day.weekday()], "skipped_holidays": sorted(skipped)}))
