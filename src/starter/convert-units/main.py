"""Converts between units by exact fractions (units.json); only the last step rounds."""

import difflib
import json
import sys
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from fractions import Fraction

TEMPERATURES = {  # kelvin = (value + shift) * scale
    "K": (Fraction(0), Fraction(1), ["kelvin"]),
    "°C": (Fraction(27315, 100), Fraction(1), ["C", "celsius", "degree celsius", "centigrade"]),
    "°F": (Fraction(45967, 100), Fraction(5, 9), ["F", "fahrenheit", "degree fahrenheit"]),
    "°R": (Fraction(0), Fraction(5, 9), ["rankine"]),
}


def load_units():
    """Every spelling of every unit: its symbol, kind, shift and scale."""
    units = {}
    for symbol, (shift, scale, names) in TEMPERATURES.items():
        units.update((name, (symbol, "temperature", shift, scale)) for name in [symbol, *names])
    with open("units.json", encoding="utf-8") as file:
        for kind, table in json.load(file).items():
            for symbol, (scale, *names) in table.items():
                units.update((name, (symbol, kind, Fraction(0), Fraction(scale))) for name in [symbol, *names])
    return units


def unit_of(text):
    """As it is spelled (Mb is not MB), else without regard to case and plural where that leaves one unit."""
    name = " ".join(text.replace("\u03bc", "µ").replace("^", "").split())
    if name in UNITS:
        return UNITS[name]
    folded = name.casefold()
    spellings = {folded, folded.removesuffix("s"), folded.replace("degrees ", "degree ")}
    found = {unit for known, unit in UNITS.items() if known.casefold() in spellings}
    if len(found) == 1:
        return found.pop()
    close = [unit[0] for unit in found] or difflib.get_close_matches(name, UNITS, 3)
    hint = f"; did you mean {' or '.join(sorted(close))}?" if close else "; units are spelled like km, lb, °F, kWh"
    sys.exit(f'"{text[:60]}" is not a unit this tool knows{hint}')


def rounded(value, decimals):
    with localcontext() as context:
        context.prec = 700
        number = Decimal(value.numerator) / Decimal(value.denominator)
        return float(number if decimals is None else number.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


asked = json.load(sys.stdin, parse_float=Fraction, parse_int=Fraction)
UNITS = load_units()
source, target = unit_of(asked["from"]), unit_of(asked["to"])
if source[1] != target[1]:
    sys.exit(f"{source[0]} measures {source[1]} and {target[0]} measures {target[1]}: they do not convert")
base = (asked["value"] + source[2]) * source[3]
if source[1] == "temperature" and base < 0:
    sys.exit(f"{asked['from']} cannot be so low: it is below absolute zero")
try:
    decimals = asked.get("decimals")
    value = rounded(base / target[3] - target[2], None if decimals is None else int(decimals))
except (InvalidOperation, OverflowError):
    value = float("inf")
if abs(value) > 1.7e308:
    sys.exit("the result is too large for a number")
print(json.dumps({"value": value, "unit": target[0], "from_unit": source[0], "measures": source[1]}))
