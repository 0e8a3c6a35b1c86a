#!/usr/bin/env python3
"""Main text by Python's peers, on the pages that `cargo bench-fyke extract --peers` measures on.

    cargo bench-fyke extract --data DIR --cases cases.jsonl
    benches/peers/extract.py cases.jsonl

A case is a line of JSON with `set`, `name` and `html`. Prints a line of JSON for each peer and set: `name`,
`set`, `cpu_seconds` of one thread, and the `texts` in the order of the pages, which fyke scores. What is
missing is installed by pip below target/peers; without pip or a network it says so.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
FOLDER = TARGET / "peers" / "extract"
WANTED = ["trafilatura", "resiliparse"]


def install():
    """Runs this script again where the peers are installed."""
    python = FOLDER / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True, stdout=sys.stderr)
            subprocess.run([python, "-m", "pip", "install", "-q", "-U", "pip"], check=True, stdout=sys.stderr)
        subprocess.run([python, "-m", "pip", "install", "-q", *WANTED], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot install {' and '.join(WANTED)} by pip: {error}")
    os.execv(python, [str(python), __file__, "--installed", *sys.argv[1:]])


def peers():
    import trafilatura
    from resiliparse.extract.html2text import extract_plain_text

    def by_trafilatura(html):
        return trafilatura.extract(html, include_comments=False) or ""

    def by_trafilatura_fast(html):
        return trafilatura.extract(html, include_comments=False, fast=True) or ""

    def by_resiliparse(html):
        return extract_plain_text(html, main_content=True, alt_texts=False, links=False, comments=False)

    version = trafilatura.__version__
    yield f"trafilatura {version}", by_trafilatura
    yield f"trafilatura {version} fast", by_trafilatura_fast
    yield "resiliparse", by_resiliparse


def main():
    if "--installed" not in sys.argv:
        install()
    sets = {}
    with open(sys.argv[-1], encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            sets.setdefault(case["set"], []).append(case["html"])
    for name, extract in peers():
        extract("<p>Nothing much here, but what loads slowly is loaded now.</p>")
        for key, pages in sets.items():
            start = time.process_time()
            texts = [extract(page) for page in pages]
            spent = time.process_time() - start
            print(json.dumps({"name": name, "set": key, "cpu_seconds": spent, "texts": texts}))


if __name__ == "__main__":
    main()
