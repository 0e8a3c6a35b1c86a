#!/usr/bin/env python3
"""Chinese lines parted into words by jieba-rs (through its Python binding, installed by pip below target/peers): a
line of JSON with its time and the words of every line.

    benches/peers/segments.py FOLDER

FOLDER is icwb2 with pku_test.utf8. jieba-rs has a dictionary of its own with frequencies, made from other text; it is
asked with its hidden Markov model for unknown words and without.
"""

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
VENV = TARGET / "peers" / "segments"


def install():
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True, stdout=sys.stderr)
        subprocess.run([python, "-m", "pip", "install", "-q", "rjieba"], check=True, stdout=sys.stderr)
    if pathlib.Path(sys.prefix) != VENV:
        os.execv(python, [str(python), *sys.argv])


def main(folder):
    import rjieba

    lines = [line.strip() for line in open(folder / "pku_test.utf8", encoding="utf-8")]
    rjieba.cut("一", hmm=True)
    for is_hmm in (True, False):
        start = time.process_time()
        parted = [rjieba.cut(line, hmm=is_hmm) for line in lines]
        seconds = time.process_time() - start
        way = "with" if is_hmm else "without"
        name = f"jieba-rs (rjieba {importlib.metadata.version('rjieba')}) {way} HMM"
        print(json.dumps({"name": name, "seconds": seconds, "lines": parted}), flush=True)


if __name__ == "__main__":
    install()
    main(pathlib.Path(sys.argv[1]))
