"""Reads times in named zones. A time that the clocks skip is refused; of one that comes twice the first is meant."""

import difflib
import re
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones


def zone_of(name):
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        known = available_timezones()
        city = name.rpartition("/")[2].strip().replace(" ", "_").casefold()
        close = [zone for zone in sorted(known) if zone.rpartition("/")[2].casefold() == city]
        close = close or difflib.get_close_matches(name, known, 3)
        like = ", ".join(close) or "Europe/Berlin, America/New_York, UTC"
        sys.exit(f'"{name[:80]}" is not a time zone; zones are named like {like}')


def moment_of(text, zone):
    """The moment of a date with time, in `zone` unless the text has an offset of its own. Ends the run with words."""
    try:
        moment = datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text.strip()))
        if moment.tzinfo is not None:
            return moment.astimezone(zone)
        local = moment.replace(tzinfo=zone)
        there_and_back = local.astimezone(timezone.utc).astimezone(zone)
    except ValueError as fault:
        sys.exit(f'"{text[:80]}" is not a date and time like 2026-03-29T14:30: {fault}')
    except OverflowError:
        sys.exit(f'"{text[:80]}" is outside the years 1 to 9999')
    if there_and_back.replace(tzinfo=None) != moment:
        sys.exit(f'"{text[:80]}" does not exist in {zone.key}: the clocks go forward over it')
    return local
