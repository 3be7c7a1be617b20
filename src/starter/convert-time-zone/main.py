"""Shows one moment on the clocks of several zones."""

import json
import sys
from datetime import timedelta, timezone

from moments import moment_of, zone_of

asked = json.load(sys.stdin)
source = zone_of(asked.get("from_zone", "UTC"))
moment = moment_of(asked["time"], source)


def clock(name):
    try:
        local = moment.astimezone(zone_of(name))
    except OverflowError:
        sys.exit("the time lies outside the years 1 to 9999 in some zone")
    return {
        "zone": name,
        "time": local.isoformat(),
        "weekday": local.strftime("%A").lower(),
        "abbreviation": local.tzname(),
        "is_summer_time": local.dst() != timedelta(0),
    }


try:
    utc = moment.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
except OverflowError:
    sys.exit("the time lies outside the years 1 to 9999 in UTC")
print(json.dumps({"utc": utc, "times": [clock(name) for name in asked["to_zones"]]}))
