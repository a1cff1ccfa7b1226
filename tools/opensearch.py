"""A real OpenSearch cluster on loopback, for tests.

    python tools/opensearch.py fetch                        get the artifacts (Maven)
    python tools/opensearch.py start --dir D [--nodes 3]    start; prints {"nodes": [...]} as JSON
    python tools/opensearch.py stop --dir D                 stop what start began

Every node is a process of its own, built from jars on Maven Central; data, logs and process ids
lie in D. With --owner PID the nodes end when that process does, whatever happens to it. Needs
`mvn` and a JDK: JAVA_HOME or the newest on the machine. From Java 21 on it is OpenSearch 3, before
that OpenSearch 2 (whose BM25 scores are 2.2 times those of 3). Exit code 3: no Java or no Maven.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent / "opensearch"
# (the oldest Java it runs on, version), the preferred first.
VERSIONS = ((21, "3.8.0"), (17, "2.19.6"))
JDKS = (
    "/usr/lib/jvm/*",
    "/opt/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
    "~/.jdks/*",
)
HEAP = ("-Xms256m", "-Xmx512m")
PATIENCE = 300.0  # seconds for a cluster to form
UNAVAILABLE = 3


class Unavailable(Exception):
    """What a cluster needs is not on this machine."""


def main(args: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("fetch")
    begin = verbs.add_parser("start")
    begin.add_argument("--nodes", type=int, default=3)
    begin.add_argument("--owner", type=int, default=0)
    begin.add_argument("--setting", action="append", default=[], metavar="NAME=VALUE")
    for verb in (begin, verbs.add_parser("stop")):
        verb.add_argument("--dir", type=Path, required=True)
    asked = parser.parse_args(args)
    try:
        if asked.verb == "fetch":
            print(*fetch(), sep="\t")
        elif asked.verb == "start":
            nodes = start(asked.dir, asked.nodes, asked.owner, asked.setting)
            print(json.dumps({"nodes": nodes}))
        else:
            print(f"{stop(asked.dir)} nodes stopped")
    except Unavailable as e:
        print(f"opensearch.py: {e}", file=sys.stderr)
        return UNAVAILABLE
    return 0


def jdks() -> list[tuple[int, Path]]:
    """(major version, home) of the JDKs here: JAVA_HOME alone if it is set, else all, the newest
    first."""
    homes = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    if not homes:
        for pattern in map(os.path.expanduser, JDKS):
            homes += Path(pattern).parent.glob(Path(pattern).name) if "*/" not in pattern else []
            homes += Path("/").glob(pattern[1:]) if "*/" in pattern else []
        if found := shutil.which("javac"):
            homes.append(Path(found).resolve().parents[1])
    known = {}
    for home in homes:
        release = home / "release"
        if (home / "bin" / "javac").exists() and release.exists():
            said = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release.read_text())
            if said:
                known[home.resolve()] = int(said[1])
    return sorted(((major, home) for home, major in known.items()), reverse=True)


def fetch() -> tuple[str, Path, str]:
    """(version, JDK, class path) of the first version that Java and Maven can provide."""
    have = jdks()
    if not have:
        raise Unavailable("no JDK: set JAVA_HOME or install one (17 or later)")
    if shutil.which("mvn") is None:
        raise Unavailable("no Maven: mvn is not on the PATH")
    problem = f"the newest JDK here is {have[0][0]}; 17 or later is needed"
    for oldest, version in VERSIONS:
        if have[0][0] >= oldest:
            path, problem = class_path(version)
            if path:
                return version, have[0][1], path
    raise Unavailable(problem)


def class_path(version: str) -> tuple[str, str]:
    """(class path, "") or ("", why not). What lies in Maven's cache is not asked for again."""
    for how in (["-o"], []):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "path"
            command = ["mvn", "-q", "-B", *how, "-f", str(HERE / "pom.xml")]
            command += [f"-Dopensearch.version={version}", f"-Dmdep.outputFile={out}"]
            done = subprocess.run(
                [*command, "dependency:build-classpath"], capture_output=True, text=True
            )
            if done.returncode == 0 and out.exists():
                return out.read_text().strip(), ""
    lines = [line for line in done.stdout.splitlines() if "ERROR" in line] or ["mvn failed"]
    return "", f"OpenSearch {version}: {lines[0]}"


def start(folder: Path, count: int, owner: int, more: list[str]) -> list[dict[str, object]]:
    """Start nodes and wait until they are one cluster."""
    version, jdk, path = fetch()
    folder.mkdir(parents=True, exist_ok=True)
    classes = folder / "classes"
    subprocess.run(
        [jdk / "bin" / "javac", "-cp", path, "-d", classes, HERE / "Launch.java"],
        check=True,
        capture_output=True,
    )
    names = [f"node-{i + 1}" for i in range(count)]
    ports = free_ports(2 * count)
    seeds = ",".join(f"127.0.0.1:{port}" for port in ports[count:])
    nodes = []
    for name, http, transport in zip(names, ports, ports[count:], strict=False):
        home = folder / name
        (home / "config").mkdir(parents=True)
        command = [jdk / "bin" / "java", *HEAP, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        command += ["--enable-native-access=ALL-UNNAMED"] if version >= "3" else []
        command += ["-cp", f"{classes}{os.pathsep}{path}", "Launch", str(owner)]
        command += [f"path.home={home}", f"node.name={name}", "cluster.name=cranfield-tests"]
        command += [f"http.port={http}", f"transport.port={transport}", "network.host=127.0.0.1"]
        command += [f"discovery.seed_hosts={seeds}", "discovery.find_peers_interval=200ms"]
        command += [f"cluster.initial_cluster_manager_nodes={','.join(names)}"]
        command += ["cluster.routing.allocation.disk.threshold_enabled=false", *more]
        with (home / "log").open("wb") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        nodes.append({"name": name, "pid": process.pid, "url": f"http://127.0.0.1:{http}"})
        (folder / "nodes.json").write_text(json.dumps(nodes))
    try:
        wait(folder, nodes)
    except BaseException:
        stop(folder)
        raise
    return nodes


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def wait(folder: Path, nodes: list[dict[str, object]]) -> None:
    """Until every node says that all are there."""
    last = time.monotonic() + PATIENCE
    for node in nodes:
        asked = f"{node['url']}/_cluster/health?wait_for_nodes={len(nodes)}&timeout=5s"
        while not answers(asked):
            if time.monotonic() > last or not alive(int(str(node["pid"]))):
                log = (folder / str(node["name"]) / "log").read_text(errors="replace")
                raise RuntimeError(f"{node['name']} did not start:\n{log[-3000:]}")
            time.sleep(0.25)


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as response:
            return not json.load(response)["timed_out"]
    except (OSError, ValueError, urllib.error.URLError):
        return False


def stop(folder: Path) -> int:
    """End the nodes that `start` noted, and wait for their end; what was there already ended."""
    notes = folder / "nodes.json"
    pids = [n["pid"] for n in json.loads(notes.read_text())] if notes.exists() else []
    pids = [pid for pid in pids if ours(pid, folder)]
    for pid in pids:
        kill(pid, signal.SIGTERM)
    last = time.monotonic() + 20
    while any(map(alive, pids)) and time.monotonic() < last:
        time.sleep(0.1)
    for pid in filter(alive, pids):
        kill(pid, signal.SIGKILL)
    notes.unlink(missing_ok=True)
    return len(pids)


def ours(pid: int, folder: Path) -> bool:
    """Whether a process is a node of this folder; its id may be another's by now."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        done = subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True)
        command = done.stdout
    return f"{folder}{os.sep}".encode() in command


def kill(pid: int, how: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, how)


def alive(pid: int) -> bool:
    """Whether it runs; one of our own that ended is reaped on the way."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with contextlib.suppress(OSError):  # a zombie that nobody reaped has ended
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text()
    return True


if __name__ == "__main__":
    sys.exit(main())
