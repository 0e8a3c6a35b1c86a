#!/usr/bin/env python3
"""fyke and its peers on the same generated web, one after the other, in one table.

    cargo build --release --package fyke --package fyke-bench
    benches/peers/run.py --pages 2000

Each client crawls a fresh server of the plain web (`fyke pond --plain --one-host`) until nothing is left,
bound to one core, with the server on the other. CPU time and memory are those of the client's process, as
the kernel counts them when it ends; pages are counted by the server. fyke's `crawl` stores captures,
fingerprints and ledger; its `links` and the peers only fetch, parse and follow. What is missing is
installed below target/peers: Scrapy by pip, a program on the `spider` crate by cargo. wget2 takes part
where it is installed.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
PEERS = TARGET / "peers"
CONCURRENCY = "16"
# No client of this table may take longer.
LONGEST_SECONDS = 600


def install_scrapy():
    python = PEERS / "scrapy" / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS / "scrapy"], check=True)
        subprocess.run([python, "-m", "pip", "install", "-q", "scrapy"], check=True)
    said = subprocess.run([python, "-m", "scrapy", "version"], check=True, capture_output=True, text=True)
    return said.stdout.strip(), lambda url, pages: [python, HERE / "scrapy_peer.py", url, CONCURRENCY]


def install_spider():
    environment = {**os.environ, "CARGO_TARGET_DIR": str(PEERS / "spider")}
    subprocess.run(["cargo", "build", "--release", "-q"], cwd=HERE / "spider", env=environment, check=True)
    program = PEERS / "spider" / "release" / "spider-peer"
    manifest = (HERE / "spider" / "Cargo.toml").read_text()
    version = manifest.split('spider = { version = "=')[1].split('"')[0]
    # Its limit counts links that it leaves alone, too.
    return f"spider {version}", lambda url, pages: [program, url, str(pages * 10), CONCURRENCY]


def find_wget2():
    program = shutil.which("wget2")
    if program is None:
        return None
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    options = ["-q", "-r", "-l", "inf", "--max-threads", "1", "--delete-after", "--no-parent"]
    return " ".join(said.split()[1:3]), lambda url, pages: [program, *options, url]


def find_fyke(program, what):
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    bench = pathlib.Path(program).with_name("fyke-bench")
    return f"{said.stdout.strip()}, {what}", lambda url, pages: [
        bench, what, "--json", "--url", url, "--pages", str(pages * 10)
    ]


def serve(fyke, pages, core):
    command = ["taskset", "-c", str(core), fyke, "pond", "--plain", "--one-host", "--hosts", "1"]
    command += ["--pages", str(pages), "--port", "0", "--until-eof", "--json"]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    said = ""
    for line in server.stdout:
        said += line
        if line == "}\n":
            break
    return server, json.loads(said)


def wait(client):
    """Waits for the client, with what it took; one that goes on and on is ended."""
    end = time.monotonic() + LONGEST_SECONDS
    while True:
        pid, status, usage = os.wait4(client.pid, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), usage
        if time.monotonic() > end:
            client.kill()
        time.sleep(0.02)


def measure(name, command, arguments):
    server, web = serve(arguments.fyke, arguments.pages, 1 - arguments.core)
    try:
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            pinned = ["taskset", "-c", str(arguments.core)]
            words = pinned + [str(word) for word in command(web["seeds"][0], arguments.pages)]
            client = subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL)
            code, usage = wait(client)
            seconds = time.monotonic() - start
        with urllib.request.urlopen(web["stats"], timeout=10) as answer:
            seen = json.load(answer)["sum"]
    finally:
        server.stdin.close()
        server.wait(timeout=10)
    pages = max(seen["unique_pages"], 1)
    cpu = usage.ru_utime + usage.ru_stime
    return {
        "client": name,
        "pages": seen["unique_pages"],
        "again": seen["duplicate_fetches"],
        "forbidden": seen["disallowed_fetches"],
        "cpu_ms_per_page": round(cpu * 1000 / pages, 3),
        "pages_per_second": round(pages / seconds, 1),
        "max_rss_mib": round(usage.ru_maxrss / 1024, 1),
        "exit": code,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000, help="pages of the web, all to be fetched")
    parser.add_argument("--core", type=int, default=0, choices=[0, 1], help="core of the client")
    parser.add_argument("--fyke", default=str(TARGET / "release" / "fyke"), help="the program, with fyke-bench beside it")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    PEERS.mkdir(parents=True, exist_ok=True)
    ours = [find_fyke(arguments.fyke, what) for what in ("crawl", "links")]
    found = [*ours, install_spider(), install_scrapy(), find_wget2()]
    rows = [measure(name, command, arguments) for name, command in filter(None, found)]
    if arguments.json:
        print(json.dumps({"machine": platform.platform(), "cores": os.cpu_count(), "rows": rows}, indent=2))
        return
    print(f"{platform.platform()}, {os.cpu_count()} cores; client on core {arguments.core}")
    names = list(rows[0])
    lines = [names] + [[str(row[name]) for name in names] for row in rows]
    widths = [max(len(line[at]) for line in lines) for at in range(len(names))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    main()
