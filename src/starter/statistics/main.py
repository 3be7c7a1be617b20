"""Describes a list of numbers. Sums are exact fractions, so no digit is lost on the way."""

import json
import math
import sys
from collections import Counter
from fractions import Fraction



def plain(value):
    try:
        return float(value)
    except OverflowError:
        sys.exit("a result is too large for a number: divide the numbers first")


def root(value):
    """The square root of a fraction, also of one that is too small or large for a float."""
    if value == 0:
        return 0.0
    shift = (value.numerator.bit_length() - value.denominator.bit_length()) // 2
    return plain(Fraction(math.sqrt(value / Fraction(4) ** shift)) * Fraction(2) ** shift)


def quantile(share):
    """Linear between neighbours, as PERCENTILE.INC of spreadsheets and numpy's default do it."""
    place = (len(numbers) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(numbers) - 1)
    return plain(numbers[low] + (numbers[high] - numbers[low]) * (place - low))


asked = json.load(sys.stdin, parse_float=Fraction, parse_int=Fraction)
numbers = sorted(asked["numbers"])
count = len(numbers)
total = sum(numbers)
mean = total / count
squares = sum(number * number for number in numbers) - total * total / count
most = Counter(numbers).most_common()
modes = [plain(number) for number, times in most if times == most[0][1]] if most[0][1] > 1 else []
print(json.dumps({
    "count": count,
    "sum": plain(total),
    "mean": plain(mean),
    "median": quantile(Fraction(1, 2)),
    "modes": sorted(modes),
    "min": plain(numbers[0]),
    "max": plain(numbers[-1]),
    "range": plain(numbers[-1] - numbers[0]),
    "stdev": root(squares / (count - 1)) if count > 1 else None,
    "stdev_population": root(squares / count),
    "variance": plain(squares / (count - 1)) if count > 1 else None,
    "quartiles": [quantile(Fraction(part, 4)) for part in (1, 2, 3)],
    "percentiles": [
        {"percent": plain(percent), "value": quantile(percent / 100)} for percent in asked.get("percentiles", [])
    ],
}))
