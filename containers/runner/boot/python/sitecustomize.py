"""Lets a Python that was started as `python3 main.py` wait for its job.

Python imports this file before it looks at main.py. It loads common modules, says so on descriptor 3, sleeps until
the job comes there (the form is in ../init.pl), and leaves the interpreter as if it had just been started with the
job's arguments and variables.
"""


def wait_for_job():
    import gc
    import os
    import sys

    # What most scripts import. Every module more costs the end of a script that does not use it.
    import collections, datetime, functools, itertools, json, math, random, re, time  # noqa: E401, F401

    gc.collect()
    control = 3
    loaded = sorted({name.partition(".")[0] for name in sys.modules})
    os.write(control, ("ready " + ",".join(loaded) + "\n").encode())

    def receive(wanted):
        got = b""
        while len(got) < wanted:
            more = os.read(control, wanted - len(got))
            if not more:
                os._exit(0)
            got += more
        return got

    size = int.from_bytes(receive(4), "big")
    stdin, count, *parts = [os.fsdecode(part) for part in receive(size).split(b"\0")]
    os.close(control)
    variables, arguments = parts[: int(count)], parts[int(count) :]

    here = os.path.dirname(__file__)
    del os.environ["PYTHONPATH"]
    sys.path.remove(here)
    sys.path_importer_cache.pop(here, None)
    for variable in variables:
        name, _, value = variable.partition("=")
        os.environ[name] = value
    sys.argv[1:] = arguments[2:]
    sys.orig_argv[2:] = arguments[2:]
    if stdin == "none":
        empty = os.open(os.devnull, os.O_RDONLY)
        os.dup2(empty, 0)
        os.close(empty)


wait_for_job()
del wait_for_job
