"""Takes a still picture out of a video."""

import json
import sys

from probe import ffmpeg, is_cover, number, probe

asked = json.load(sys.stdin)
found = probe(asked["video"])
if not any(stream.get("codec_type") == "video" and not is_cover(stream) for stream in found["streams"]):
    sys.exit("the file has no pictures, only sound")
seconds = number(found["format"].get("duration")) or 0
at = asked.get("at", round(seconds / 10, 3))
if at > 0 and at >= seconds:
    sys.exit(f"there is no picture at {at:g} s: the video is {seconds:g} s long")
ffmpeg(
    "-ss", str(at), "-i", f"file:{asked['video']}", "-map", "0:V:0", "-frames:v", "1",
    "-vf", f"scale={asked.get('width', 640)}:-1:flags=lanczos,setsar=1", "-q:v", "3", "-pix_fmt", "yuvj420p",
    "-map_metadata", "-1", "-update", "1", "-f", "image2", "thumbnail.jpeg",
)
try:
    picture = probe("thumbnail.jpeg")["streams"][0]
except SystemExit:
    sys.exit(f"there is no picture at {at:g} s; the last one is earlier")
print(json.dumps({"at": at, "width": picture["width"], "height": picture["height"], "video_seconds": seconds}))
