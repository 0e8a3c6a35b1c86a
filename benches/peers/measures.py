#!/usr/bin/env python3
"""pytrec_eval on the qrels and the run that `cargo bench-fyke measures --peers` evaluates.

    benches/peers/measures.py QRELS RUN MEASURE...

Prints a line of JSON: `name`, CPU seconds of one evaluation `from_files` (read by pytrec_eval's own parsers, then
evaluated; without the start of Python and its imports) and of the evaluation `alone`, and the `means` over queries
in the order of the measures. What is missing is installed by pip below target/peers; without pip or a network it
says so.
"""

import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
FOLDER = TARGET / "peers" / "measures"
# The first needs the network to build; the second is the same extension, ready to use.
WANTED = ["pytrec_eval", "pytrec_eval-terrier"]
TIMES = 5


def install():
    """Runs this script again where the peer is installed."""
    python = FOLDER / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True, stdout=sys.stderr)
        known = subprocess.run([python, "-c", "import pytrec_eval"], capture_output=True)
        pip = [python, "-m", "pip", "install", "-q"]
        if known.returncode and subprocess.run([*pip, WANTED[0]], capture_output=True).returncode:
            subprocess.run([*pip, WANTED[1]], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot install {' or '.join(WANTED)} by pip: {error}")
    os.execv(python, [str(python), __file__, "--installed", *sys.argv[1:]])


def main():
    if "--installed" not in sys.argv:
        install()
    import importlib.metadata
    import pytrec_eval
    qrels_path, run_path, *measures = [word for word in sys.argv[1:] if word != "--installed"]
    whole, alone = [], []
    for _ in range(TIMES):
        start = time.process_time()
        with open(qrels_path) as file:
            qrels = pytrec_eval.parse_qrel(file)
        with open(run_path) as file:
            run = pytrec_eval.parse_run(file)
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(measures))
        ready = time.process_time()
        figures = evaluator.evaluate(run)
        end = time.process_time()
        whole.append(end - start)
        alone.append(end - ready)
    installed = {package.metadata["Name"] for package in importlib.metadata.distributions()}
    name = next(name for name in ["pytrec_eval-terrier", "pytrec_eval"] if name in installed)
    means = [sum(query[name] for query in figures.values()) / len(figures) for name in measures]
    print(json.dumps({
        "name": f"{name} {importlib.metadata.version(name)}",
        "from_files": sum(whole) / TIMES,
        "alone": sum(alone) / TIMES,
        "means": means,
    }))


if __name__ == "__main__":
    main()
