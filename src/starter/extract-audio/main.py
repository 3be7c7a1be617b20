"""Takes the sound out of a video or audio file, as speech recognition and editors want it."""

import json
import os
import sys

from probe import ffmpeg, number, probe

asked = json.load(sys.stdin)
found = probe(asked["file"])
if not any(stream.get("codec_type") == "audio" for stream in found["streams"]):
    sys.exit("the file has no sound")
start, seconds = asked.get("start", 0), asked.get("seconds")
whole = number(found["format"].get("duration"))
if whole is not None and start > 0 and start >= whole:
    sys.exit(f"the sound cannot start at {start:g} s: it is {whole:g} s long")
rate, channels = asked.get("sample_rate", 16000), asked.get("channels", 1)
ffmpeg(
    "-ss", str(start), *(["-t", str(seconds)] if seconds else []), "-i", f"file:{asked['file']}", "-map", "0:a:0",
    "-ac", str(channels), "-ar", str(rate), "-c:a", "pcm_s16le", "-map_metadata", "-1",
    "-fflags", "+bitexact", "-flags:a", "+bitexact", "-f", "wav", "audio.wav",
)
size = os.path.getsize("audio.wav")
length = number(probe("audio.wav")["format"].get("duration")) or 0
print(json.dumps({"seconds": round(length, 3), "sample_rate": rate, "channels": channels, "bytes": size}))
