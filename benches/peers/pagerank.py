#!/usr/bin/env python3
"""PageRank by Python's peers on the graph that `cargo bench-fyke pagerank --peers` ranks.

    benches/peers/pagerank.py GRAPH.gz RANKS

GRAPH has a first line with the number of pages, then a line a page with the numbers of the pages it links to; RANKS
are the known ranks, eight bytes each. Prints a line of JSON for each of networkx, scikit-network (power iteration)
and igraph: `name`, `cpu_seconds` from the graph in the peer's own form to the ranks, and the largest `difference`
from a known rank. Each is asked for ranks that change by no more than 1e-10 in all, where it can be asked.
scikit-network sees pages without links in another way (they get more, where the book lets them give to all), so its
ranks differ. What is missing is installed by pip below target/peers.
"""

import gzip
import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
FOLDER = TARGET / "peers" / "pagerank"
WANTED = ["networkx", "scikit-network", "igraph", "numpy", "scipy"]
DAMPING = 0.85
TOLERANCE = 1e-10


def install():
    """Runs this script again where the peers are installed."""
    python = FOLDER / "bin" / "python"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", FOLDER], check=True, stdout=sys.stderr)
        known = subprocess.run([python, "-c", "import networkx, sknetwork, igraph"], capture_output=True)
        if known.returncode:
            subprocess.run([python, "-m", "pip", "install", "-q", *WANTED], check=True, stdout=sys.stderr)
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"cannot install {', '.join(WANTED)} by pip: {error}")
    os.execv(python, [str(python), __file__, "--installed", *sys.argv[1:]])


def read(path):
    """The number of pages, and all links as two arrays."""
    import numpy as np

    sources, targets = [], []
    with gzip.open(path, "rt") as lines:
        pages = int(next(lines))
        for page, line in zip(range(pages), lines):
            links = np.array(line.split(), dtype=np.int32)
            sources.append(np.full(len(links), page, dtype=np.int32))
            targets.append(links)
    return pages, np.concatenate(sources), np.concatenate(targets)


def by_networkx(pages, sources, targets):
    import networkx

    graph = networkx.DiGraph()
    graph.add_nodes_from(range(pages))
    graph.add_edges_from(zip(sources.tolist(), targets.tolist()))

    def rank():
        ranks = networkx.pagerank(graph, alpha=DAMPING, tol=TOLERANCE / pages, max_iter=1000)
        return [ranks[page] for page in range(pages)]

    return rank


def by_scikit_network(pages, sources, targets):
    import numpy as np
    import scipy.sparse
    from sknetwork.ranking import PageRank

    ones = np.ones(len(sources))
    matrix = scipy.sparse.csr_matrix((ones, (sources, targets)), shape=(pages, pages))
    way = PageRank(damping_factor=DAMPING, solver="piteration", n_iter=1000, tol=TOLERANCE)
    return lambda: way.fit_predict(matrix)


def by_igraph(pages, sources, targets):
    import igraph

    graph = igraph.Graph(n=pages, edges=list(zip(sources.tolist(), targets.tolist())), directed=True)
    return lambda: graph.pagerank(damping=DAMPING)


PEERS = [("networkx", by_networkx), ("scikit-network", by_scikit_network), ("igraph", by_igraph)]


def main():
    if "--installed" not in sys.argv:
        install()
    import numpy as np

    path, known = [word for word in sys.argv[1:] if word != "--installed"]
    known = np.fromfile(known, dtype="<f8")
    pages, sources, targets = read(path)
    for name, prepare in PEERS:
        rank = prepare(pages, sources, targets)
        start = time.process_time()
        ranks = rank()
        spent = time.process_time() - start
        difference = float(np.abs(np.asarray(ranks) - known).max())
        version = importlib.metadata.version(name)
        print(json.dumps({"name": f"{name} {version}", "cpu_seconds": spent, "difference": difference}))


if __name__ == "__main__":
    main()
