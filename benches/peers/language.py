#!/usr/bin/env python3
"""fyke and its peers on the same held-out sentences of SIB-200, in one table.

    cargo build --release
    benches/peers/language.py DATA

DATA holds langid/sib200. Held out is every second sentence of each language's test file; fyke has not learnt
it. Each program may name any language it knows. CPU time is that of the process, after one warm-up sentence
for the peers; for fyke it includes the start. py3langid and lingua are installed by pip below target/peers.
"""

import collections
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
VENV = TARGET / "peers" / "language"
FOLDERS = HERE.parent.parent / "crates" / "fyke-text" / "data" / "sib200.txt"
TWENTY = "en de fr es pt gl it nl pl cs sk sl hr sr bs ru uk bg hu tl".split()
NEAR = ["hr bs sr", "cs sk sl", "es pt gl", "id ms", "da no nn"]


def held_out(data):
    sentences = []
    for line in FOLDERS.read_text().splitlines():
        if line.startswith("#"):
            continue
        code, folder = line.split()
        path = pathlib.Path(data) / "langid/sib200/data/annotated" / folder / "test.tsv"
        rows = path.read_text().splitlines()[2::2]
        sentences += [(code, row.split("\t")[2]) for row in rows]
    return sentences


def by_fyke(texts):
    program = TARGET / "release" / "fyke"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(
        [program, "language", "--lines", "--threads", "1"],
        input="\n".join(texts), capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return [line.split("\t")[0] for line in said.stdout.splitlines()], spent


def by_py3langid(texts):
    import py3langid
    py3langid.classify("warm")
    start = time.process_time()
    codes = [py3langid.classify(text)[0] for text in texts]
    return codes, time.process_time() - start


def by_lingua(texts):
    from lingua import LanguageDetectorBuilder
    detector = LanguageDetectorBuilder.from_all_languages().with_preloaded_language_models().build()
    start = time.process_time()
    found = [detector.detect_language_of(text) for text in texts]
    spent = time.process_time() - start
    return [one.iso_code_639_1.name.lower() if one else "und" for one in found], spent


def report(name, sentences, codes, spent):
    right, all_of = collections.Counter(), collections.Counter()
    for (code, _), said in zip(sentences, codes, strict=True):
        all_of[code] += 1
        right[code] += {"nb": "no", "fil": "tl"}.get(said, said) == code
    share = {code: right[code] / all_of[code] for code in all_of}
    mean = lambda codes: round(sum(share[code] for code in codes) / len(codes), 4)
    row = {"program": name, "twenty": mean(TWENTY), "all": mean(list(all_of))}
    row.update({group: [round(share[code], 3) for code in group.split()] for group in NEAR})
    row["sentences_per_cpu_second"] = round(len(sentences) / spent)
    print(json.dumps(row), flush=True)


def main():
    if not (VENV / "bin" / "python").exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        pip = [VENV / "bin" / "python", "-m", "pip", "install", "-q"]
        subprocess.run([*pip, "py3langid", "lingua-language-detector"], check=True)
    if pathlib.Path(sys.prefix).resolve() != VENV.resolve():
        os.execv(VENV / "bin" / "python", [VENV / "bin" / "python", __file__, *sys.argv[1:]])
    sentences = held_out(sys.argv[1])
    texts = [text for _, text in sentences]
    for name, ask in [("fyke", by_fyke), ("py3langid", by_py3langid), ("lingua", by_lingua)]:
        report(name, sentences, *ask(texts))


if __name__ == "__main__":
    main()
