"""A real PostgreSQL server on loopback, for tests.

    python tools/postgres.py

Starts one on a free port with data in a folder of its own, prints {"url": ...} as a line of JSON,
and runs until its standard input ends, whatever ends it; then server and folder are gone. Root
hands it to the user `postgres`, since PostgreSQL does not run as root. Exit code 3: no server's
programs on this machine (Debian: apt-get install postgresql).
"""

from __future__ import annotations

import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")
USER = "postgres"
PATIENCE = 60.0  # seconds for the server to start or to end
UNAVAILABLE = 3


class Unavailable(Exception):
    """What a server needs is not on this machine."""


def main() -> int:
    try:
        programs, who = found_programs(), owner()
    except Unavailable as e:
        print(f"postgres.py: {e}", file=sys.stderr)
        return UNAVAILABLE
    folder = Path(tempfile.mkdtemp(prefix="cranfield-postgres-"))
    server = None
    try:
        if who:
            os.chown(folder, who["user"], who["group"])
        server, url = start(programs, folder, who)
        print(json.dumps({"url": url}), flush=True)
        sys.stdin.buffer.read()
    finally:
        if server is not None:
            server.send_signal(signal.SIGINT)  # roll back and end
            server.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def found_programs() -> Path:
    """The folder of `initdb` and `postgres`, the newest."""
    if path := shutil.which("initdb"):
        return Path(path).resolve().parent
    found = [p for place in PLACES for p in Path("/").glob(place[1:]) if (p / "initdb").exists()]
    if not found:
        raise Unavailable("no PostgreSQL server: initdb is not on this machine")
    return max(found, key=lambda p: [int(n) for n in re.findall(r"\d+", str(p))])


def owner() -> dict[str, Any]:
    """Whom the server belongs to, as arguments of `Popen`: nobody else unless we are root."""
    if os.geteuid() != 0:
        return {}
    try:
        user = pwd.getpwnam(USER)
    except KeyError:
        raise Unavailable(f"root needs a user {USER!r} to run the server as") from None
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def start(programs: Path, folder: Path, who: dict[str, Any]) -> tuple[subprocess.Popen[bytes], str]:
    password, data, port = secrets.token_hex(8), folder / "data", free_port()
    said = folder / "password"
    said.write_text(password)
    if who:
        os.chown(said, who["user"], who["group"])
    command = [programs / "initdb", "-D", data, "-U", USER, "-E", "UTF8", "--locale=C"]
    subprocess.run(
        [*command, "--auth=scram-sha-256", f"--pwfile={said}", "--no-sync"],
        check=True,
        capture_output=True,
        cwd=folder,
        **who,
    )
    settings = {
        "listen_addresses": "127.0.0.1",
        "port": port,
        "unix_socket_directories": "",
        "fsync": "off",
    }
    call = [str(programs / "postgres"), "-D", str(data)]
    for name, value in settings.items():
        call += ["-c", f"{name}={value}"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            call, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, **who
        )
    wait(server, port, folder / "log")
    return server, f"postgresql://{USER}:{password}@127.0.0.1:{port}/postgres"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    """Until it says that it is ready."""
    last = time.monotonic() + PATIENCE
    while b"ready to accept connections" not in log.read_bytes():
        if server.poll() is not None or time.monotonic() > last:
            server.kill()
            raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main())
