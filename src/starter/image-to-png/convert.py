"""Converts and resizes a picture with ffmpeg. What is not a picture is refused, whatever its name says."""

import json
import subprocess
import sys

MOST_PIXELS = 100_000_000
CODECS = {"png", "apng", "mjpeg", "webp", "bmp", "gif", "tiff", "jpeg2000", "jpegls", "ppm", "pgm", "targa", "ico"}
WRITE = {
    "png": lambda quality: ["-c:v", "png"],
    "jpeg": lambda quality: ["-c:v", "mjpeg", "-q:v", str(round(31 - (quality - 1) * 29 / 99)), "-pix_fmt", "yuvj420p"],
    "webp": lambda quality: ["-c:v", "libwebp", "-quality", str(quality)],
}


def run(words, path):
    """The file goes in through a pipe, so that its name does not decide how it is read."""
    with open(path, "rb") as file:
        return subprocess.run(words, stdin=file, capture_output=True, check=False)


def look(path):
    """Codec, width and height of the picture. Ends the run when it is none."""
    asked = ["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "json", "-"]
    streams = json.loads(run(asked, path).stdout or "{}").get("streams") or [{}]
    codec, width, height = (streams[0].get(name) for name in ("codec_name", "width", "height"))
    if codec not in CODECS or not width:
        sys.exit("the file is not a picture of a kind this tool reads: PNG, JPEG, WebP, GIF, BMP, TIFF")
    if width * height > MOST_PIXELS:
        sys.exit(f"the picture has {width} x {height} pixels; at most {MOST_PIXELS:,} are taken")
    return width, height


def scaling(asked):
    """The filter that resizes, as it was asked for; none leaves the size as it is."""
    width, height = asked.get("width"), asked.get("height")
    if width is None and height is None:
        return None
    if width is None or height is None:
        return f"scale={width or -1}:{height or -1}:flags=lanczos"
    if asked.get("fit", "inside") == "stretch":
        return f"scale={width}:{height}:flags=lanczos"
    how = "increase" if asked.get("fit") == "cover" else "decrease"
    scaled = f"scale={width}:{height}:force_original_aspect_ratio={how}:flags=lanczos"
    return f"{scaled},crop={width}:{height}" if how == "increase" else scaled


def main(kind):
    asked = json.load(sys.stdin)
    look(asked["image"])
    made = f"picture.{kind}"
    steps = [scaling(asked) or "null", "setsar=1"]
    graph = f"[0:v]{','.join(steps)}[out]"
    if kind == "jpeg":  # has no transparency: what shines through becomes white
        white = "[0:v]format=rgba,split[a][b];[a]lutrgb=r=255:g=255:b=255:a=255[white]"
        graph = f"{white};[white][b]overlay=format=rgb,{','.join(steps)}[out]"
    write = WRITE[kind](asked.get("quality", 85))
    done = run(
        ["ffmpeg", "-v", "error", "-y", "-i", "-", "-filter_complex", graph, "-map", "[out]", "-frames:v", "1",
         "-map_metadata", "-1", *write, "-update", "1", "-f", "image2", made],
        asked["image"],
    )
    if done.returncode != 0:
        sys.exit("ffmpeg could not convert the picture: " + done.stderr.decode(errors="replace").strip()[-200:])
    with open(made, "rb") as file:
        size = len(file.read())
    width, height = look(made)
    print(json.dumps({"width": width, "height": height, "bytes": size}))


main(sys.argv[1])
