"""What ffprobe says of a file of sound or pictures."""

import json
import subprocess
import sys


def probe(path):
    """`{format, streams}` of ffprobe. Ends the run when there is neither sound nor picture in the file."""
    words = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", f"file:{path}"]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    found = json.loads(done.stdout or b"{}")
    if done.returncode != 0 or not found.get("streams") or found["format"]["format_name"] == "tty":
        sys.exit("the file is not video, sound or a picture that ffmpeg reads")
    return found


def number(text):
    """ffprobe's numbers are texts; what it does not know is missing or N/A."""
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def is_cover(stream):
    """Whether it is a still picture that belongs to sound."""
    return stream.get("disposition", {}).get("attached_pic") == 1


def turn(stream):
    """Degrees by which players turn the picture."""
    return next((round(data["rotation"]) for data in stream.get("side_data_list", []) if "rotation" in data), 0)


def ffmpeg(*words):
    """Runs ffmpeg. Ends the run with its last line when it fails."""
    done = subprocess.run(
        ["ffmpeg", "-v", "error", "-nostdin", "-y", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        sys.exit(f"ffmpeg failed: {''.join(last)[-200:]}")
