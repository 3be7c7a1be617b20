"""Run once in a sandbox at the runner's start: prints a word for each promise that does not hold, then "done".

Arguments, where there are no namespaces: paths that a program must not be able to read.
"""

import ctypes
import os
import socket
import sys
import time


def can(action):
    try:
        action()
        return True
    except OSError:
        return False


def write(folder):
    with open(os.path.join(folder, "probe"), "w") as file:
        file.write("probe")
    os.remove(os.path.join(folder, "probe"))


def makes_socket():
    families = (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, socket.AF_VSOCK, socket.AF_UNIX)
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW)
    return any(can(lambda: socket.socket(family, kind).close()) for family in families for kind in kinds)


def reaches_network():
    with open("/proc/net/dev") as devices:
        if [line.split(":")[0].strip() for line in devices if ":" in line] != ["lo"]:
            return True
    start = time.monotonic()
    is_refused = not can(lambda: socket.create_connection(("192.0.2.1", 80), timeout=1).close())
    return not is_refused or time.monotonic() - start > 0.5


def holds_capabilities():
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return any(int(lines[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapAmb"))


def make_namespace():
    clone_newuser = 0x10000000
    return ctypes.CDLL(None).unshare(clone_newuser) == 0


def uses_key_ring():
    session_keyring, keyctl_get_id = -3, 0
    number = {"x86_64": 250, "aarch64": 219}.get(os.uname().machine)
    return number and ctypes.CDLL(None).syscall(number, keyctl_get_id, ctypes.c_int(session_keyring), 1) != -1


checks = {
    "network": reaches_network,
    "root": lambda: 0 in (os.getuid(), os.geteuid(), os.getgid()) + tuple(os.getgroups()),
    "capabilities": holds_capabilities,
    "processes": lambda: len([name for name in os.listdir("/proc") if name.isdigit()]) > 2,
    "system": lambda: any(can(lambda: write(folder)) for folder in ("/", "/usr", "/etc", "/dev", "/opt/boot", "/run")),
    "work": lambda: not all(can(lambda: write(folder)) for folder in ("/work", "/tmp", "/dev/shm")),
    "namespaces": make_namespace,
    "keys": uses_key_ring,
    "environment": lambda: set(os.environ) - {"PATH", "HOME", "TMPDIR", "LANG", "TZ", "PWD"} != set(),
}
secrets = sys.argv[1:]
if secrets:
    places = (os.environ["HOME"], os.environ["TMPDIR"])
    others = ("/", "/usr", "/etc", "/dev", "/dev/shm", "/tmp", "/var/tmp", "/run", os.path.dirname(__file__))
    checks |= {
        "network": makes_socket,
        "processes": lambda: can(lambda: os.kill(os.getppid(), 0)) or can(lambda: open("/proc/1/cmdline").close()),
        "system": lambda: any(can(lambda: write(folder)) for folder in others),
        "work": lambda: not all(can(lambda: write(folder)) for folder in places),
        "files": lambda: any(can(lambda: os.listdir(path)) or can(lambda: open(path).close()) for path in secrets),
    }
for word, is_broken in checks.items():
    if is_broken():
        print(word)
print("done")
