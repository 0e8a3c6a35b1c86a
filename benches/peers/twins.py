#!/usr/bin/env python3
"""Near copies by Python's peers on the texts that `cargo bench-fyke twins` measures on.

    benches/peers/twins.py --data DIR

datasketch and rensa sketch documents of 5 kB (words, word 3-grams, 200 permutations; counted in CPU time of
one thread, once with making the 3-grams and once without), and find pairs among the articles by their LSH at
0.8, against the exact Jaccard coefficient. What is missing is installed by pip below target/peers.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
FOLDER = TARGET / "peers" / "twins"
PERMUTATIONS = 200
NEAR = 0.8
# CPU seconds spent on a speed.
SPENT = 1.0
WORD = re.compile(r"\w+")


def install():
    """Runs this script again where the peers are installed."""
    python = FOLDER / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True)
    wanted = ["datasketch", "rensa"]
    subprocess.run([python, "-m", "pip", "install", "-q", *wanted], check=True, stdout=sys.stderr)
    os.execv(python, [str(python), __file__, "--installed", *sys.argv[1:]])


def shingles(text):
    words = WORD.findall(text.lower())
    return {" ".join(words[at : at + 3]) for at in range(max(len(words) - 2, 1))}


def speed(items, work):
    start, done = time.process_time(), 0
    while time.process_time() - start < SPENT:
        for item in items:
            work(item)
        done += len(items)
    return done / (time.process_time() - start)


def datasketch_sketch(grams):
    from datasketch import MinHash

    sketch = MinHash(num_perm=PERMUTATIONS)
    sketch.update_batch([gram.encode() for gram in grams])
    return sketch


def rensa_sketch(grams):
    from rensa import RMinHash

    sketch = RMinHash(num_perm=PERMUTATIONS, seed=1)
    sketch.update(list(grams))
    return sketch


def datasketch_pairs(sketches):
    from datasketch import MinHashLSH

    lsh = MinHashLSH(threshold=NEAR, num_perm=PERMUTATIONS)
    found = set()
    for at, sketch in enumerate(sketches):
        found.update((other, at) for other in lsh.query(sketch))
        lsh.insert(at, sketch)
    return found


def rensa_pairs(sketches):
    from rensa import RMinHashLSH

    lsh = RMinHashLSH(threshold=NEAR, num_perm=PERMUTATIONS, num_bands=40)
    found = set()
    for at, sketch in enumerate(sketches):
        near = (other for other in lsh.query(sketch) if sketch.jaccard(sketches[other]) >= NEAR)
        found.update((other, at) for other in near if other != at)
        lsh.insert(at, sketch)
    return found


PEERS = [("datasketch", datasketch_sketch, datasketch_pairs), ("rensa", rensa_sketch, rensa_pairs)]


def exact_pairs(sets):
    """All pairs of near copies, by the shingles that few texts share."""
    owners, common = {}, {}
    for at, grams in enumerate(sets):
        for gram in grams:
            for other in owners.setdefault(gram, []):
                common[other, at] = common.get((other, at), 0) + 1
            owners[gram].append(at)
    union = lambda pair: len(sets[pair[0]]) + len(sets[pair[1]]) - common[pair]
    return {pair for pair in common if common[pair] / union(pair) >= NEAR}


def articles(data, name):
    path = pathlib.Path(data) / "neardup" / "mccormick-minhash" / "data" / f"{name}.train"
    return [line.split(" ", 1)[1] for line in path.read_text().splitlines() if " " in line]


def of_bytes(texts, size):
    documents, document = [], ""
    for text in texts:
        document += text + "\n"
        if len(document) >= size:
            documents.append(document[:size])
            document = ""
    return documents


def measure(data):
    figures = {}
    texts = articles(data, "articles_2500")
    documents = of_bytes(texts, 5000)
    sets = [shingles(text) for text in documents]
    for name, sketch, _ in PEERS:
        figures[f"{name}_documents_per_cpu_second"] = speed(documents, lambda text: sketch(shingles(text)))
        figures[f"{name}_ready_shingles_per_cpu_second"] = speed(sets, sketch)
    for name in ["articles_1000", "articles_2500"]:
        sets = [shingles(text) for text in articles(data, name)]
        exact = exact_pairs(sets)
        for peer, sketch, pairs in PEERS:
            found = pairs([sketch(grams) for grams in sets])
            right = len(found & exact)
            figures[f"{name}_{peer}_precision"] = right / len(found) if found else 1.0
            figures[f"{name}_{peer}_recall"] = right / len(exact) if exact else 1.0
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, help="the folder above neardup/")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not arguments.installed:
        install()
    figures = measure(arguments.data)
    if arguments.json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):60} {value:,.4f}")


if __name__ == "__main__":
    main()
