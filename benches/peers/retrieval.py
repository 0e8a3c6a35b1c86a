#!/usr/bin/env python3
"""BM25 of others on a test collection: writes a run for each and names it in a line of JSON.

    benches/peers/retrieval.py COLLECTION SCRATCH

COLLECTION holds docs.jsonl.gz and queries.tsv. bm25s ranks as Lucene does (k1 1.2, b .75, English stop
words, Porter's stemmer by PyStemmer). What is missing is installed by pip below target/peers.
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
VENV = TARGET / "peers" / "retrieval"
DEPTH = 1000


def install():
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True, stdout=sys.stderr)
        subprocess.run([python, "-m", "pip", "install", "-q", "bm25s", "PyStemmer"], check=True, stdout=sys.stderr)
    if pathlib.Path(sys.prefix) != VENV:
        os.execv(python, [str(python), *sys.argv])


def main(collection, scratch):
    import bm25s
    import Stemmer

    with gzip.open(collection / "docs.jsonl.gz", "rt") as lines:
        documents = [json.loads(line) for line in lines]
    topics = [line.rstrip("\n").split("\t", 1) for line in open(collection / "queries.tsv")]
    stemmer = Stemmer.Stemmer("porter")

    def tokens(texts):
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
    index.index(tokens([f'{d.get("title", "")} {d.get("text", "")}' for d in documents]), show_progress=False)
    found, scores = index.retrieve(
        tokens([text for _, text in topics]), k=min(DEPTH, len(documents)), show_progress=False
    )
    path = scratch / "bm25s.run"
    with open(path, "w") as run:
        for (topic, _), row, weights in zip(topics, found, scores):
            for rank, (document, score) in enumerate(zip(row, weights), 1):
                if score > 0:
                    print(topic, "Q0", documents[document]["id"], rank, score, "bm25s", file=run)
    print(json.dumps({"name": f"bm25s {bm25s.__version__}", "run": str(path)}))


if __name__ == "__main__":
    install()
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
