#!/usr/bin/env python3
"""Languages told by Python's peers, on the sentences that `cargo bench-fyke language --peers` measures on.

    benches/peers/language.py CASES.jsonl "en de …"

A case is a line of JSON with `set` and `text`. Each peer is asked twice: it may name any language it knows,
or only those of the list. Prints a line of JSON for each peer and set: `name`, `set`, `cpu_seconds` after a
warm-up sentence, and the `codes` it said in the order of the sentences, which fyke scores. py3langid and lingua
are installed by pip below target/peers; without pip or a network it says so.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
FOLDER = TARGET / "peers" / "language"
WANTED = ["py3langid", "lingua-language-detector"]
SAME = {"nb": "no", "fil": "tl"}


def install():
    """Runs this script again where the peers are installed."""
    python = FOLDER / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True, stdout=sys.stderr)
        subprocess.run([python, "-m", "pip", "install", "-q", *WANTED], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot install {' and '.join(WANTED)} by pip: {error}")
    os.execv(python, [str(python), __file__, "--installed", *sys.argv[1:]])


def peers(few):
    from importlib.metadata import version
    from lingua import IsoCode639_1, LanguageDetectorBuilder
    import py3langid

    name = f"py3langid {version('py3langid')}"
    yield name, lambda text: py3langid.classify(text)[0]
    py3langid.set_languages(few)
    yield f"{name} of 20", lambda text: py3langid.classify(text)[0]

    def by(builder):
        detector = builder.with_preloaded_language_models().build()

        def say(text):
            found = detector.detect_language_of(text)
            return found.iso_code_639_1.name.lower() if found else "und"
        return say

    name = f"lingua {version('lingua-language-detector')}"
    known = [getattr(IsoCode639_1, code.upper(), None) for code in few]
    yield name, by(LanguageDetectorBuilder.from_all_languages())
    yield f"{name} of 20", by(LanguageDetectorBuilder.from_iso_codes_639_1(*filter(None, known)))


def main():
    if "--installed" not in sys.argv:
        install()
    sets = {}
    with open(sys.argv[-2], encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            sets.setdefault(case["set"], []).append(case["text"])
    for name, say in peers(sys.argv[-1].split()):
        say("A sentence, so that what loads slowly is loaded now.")
        for key, texts in sets.items():
            start = time.process_time()
            said = [say(text) for text in texts]
            spent = time.process_time() - start
            codes = [SAME.get(code, code) for code in said]
            print(json.dumps({"name": name, "set": key, "cpu_seconds": spent, "codes": codes}), flush=True)


if __name__ == "__main__":
    main()
