"""Tells the length, formats and tracks of a media file."""

import json
import sys

from probe import is_cover, number, probe, turn


def whole(text):
    value = number(text)
    return None if value is None else round(value)


def rate(text):
    """30000/1001 as 29.97; 0/0 is not known."""
    over, _, under = (text or "").partition("/")
    return round(number(over) / number(under), 3) if number(over) and number(under) else None


def tidy(stream):
    kind = stream.get("codec_type", "data")
    is_turned = turn(stream) % 180 != 0
    width, height = stream.get("width"), stream.get("height")
    return {
        "kind": "cover" if is_cover(stream) else kind,
        "codec": stream.get("codec_name", "unknown"),
        "seconds": number(stream.get("duration")),
        "bit_rate": whole(stream.get("bit_rate")),
        "width": height if is_turned else width,
        "height": width if is_turned else height,
        "frames_per_second": rate(stream.get("avg_frame_rate")) if kind == "video" else None,
        "sample_rate": whole(stream.get("sample_rate")),
        "channels": stream.get("channels"),
        "language": stream.get("tags", {}).get("language"),
    }


found = probe(json.load(sys.stdin)["file"])
about = found["format"]
print(json.dumps({
    "format": about["format_name"],
    "seconds": number(about.get("duration")),
    "bytes": int(about["size"]),
    "bit_rate": whole(about.get("bit_rate")),
    "title": about.get("tags", {}).get("title"),
    "tracks": [tidy(stream) for stream in found["streams"]],
}))
