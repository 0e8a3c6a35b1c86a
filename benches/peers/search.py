#!/usr/bin/env python3
"""Other engines on made documents: a line of JSON for each with its time to index and to answer.

    benches/peers/search.py DOCUMENTS QUERIES SCRATCH

A line of DOCUMENTS is URL, title and body between tabs; a line of QUERIES is a query. Both engines index
title and body with positions and keep them, with two threads and 512 MB, and find the best ten documents
with any of the words, whose texts are then read (tantivy also marks a snippet). Neither looks for other
forms of words, nearness, feedback or exact counts, which fyke does. tantivy is installed by pip and
Lucene taken from pyserini's wheel below target/peers; Lucene needs a JDK (apt: openjdk-17-jdk-headless)
and is left out where there is none.
"""

import importlib.metadata
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HERE.parent.parent / "target"))
PEERS = TARGET / "peers"
VENV = PEERS / "search"
JAR = PEERS / "lucene.jar"
WARM = 200


def install():
    python = VENV / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True, stdout=sys.stderr)
        subprocess.run([python, "-m", "pip", "install", "-q", "tantivy"], check=True, stdout=sys.stderr)
    if shutil.which("javac") and not JAR.exists():
        pip = [python, "-m", "pip", "download", "-q", "--no-deps", "-d", PEERS, "pyserini==0.22.1"]
        subprocess.run(pip, check=True, stdout=sys.stderr)
        (wheel,) = PEERS.glob("pyserini-0.22.1-*.whl")
        with zipfile.ZipFile(wheel) as files:
            (name,) = [name for name in files.namelist() if name.endswith("fatjar.jar")]
            JAR.write_bytes(files.read(name))
        wheel.unlink()
    if pathlib.Path(sys.prefix) != VENV:
        os.execv(python, [str(python), *sys.argv])


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def rows(path):
    with open(path) as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def tantivy(documents, queries, folder):
    import tantivy

    schema = tantivy.SchemaBuilder().add_text_field("url", stored=True, tokenizer_name="raw")
    schema = schema.add_text_field("title", stored=True).add_text_field("body", stored=True).build()
    before = cpu()
    # What making the documents takes in this language is not the engine's.
    for url, title, body in rows(documents):
        tantivy.Document(url=url, title=title, body=body)
    making = cpu() - before
    folder.mkdir()
    index = tantivy.Index(schema, path=str(folder))
    before = cpu()
    writer = index.writer(heap_size=512 << 20, num_threads=2)
    count = 0
    for url, title, body in rows(documents):
        writer.add_document(tantivy.Document(url=url, title=title, body=body))
        count += 1
    writer.commit()
    writer.wait_merging_threads()
    indexing = max(cpu() - before - making, 0.01)
    index.reload()
    searcher = index.searcher()
    times = []
    for number, text in enumerate(open(queries)):
        if number == WARM:
            before = cpu()
        start = time.perf_counter()
        query = index.parse_query(text.strip(), ["title", "body"])
        snippets = tantivy.SnippetGenerator.create(searcher, query, schema, "body")
        for _, address in searcher.search(query, 10).hits:
            snippets.snippet_from_doc(searcher.doc(address)).to_html()
        if number >= WARM:
            times.append((time.perf_counter() - start) * 1e3)
    asking = cpu() - before
    times.sort()
    return {
        "name": f"tantivy {importlib.metadata.version('tantivy')}",
        "documents_per_cpu_second": count / indexing,
        "cpu_ms_per_query": asking * 1e3 / len(times),
        "p50": times[len(times) // 2],
        "p99": times[len(times) * 99 // 100],
    }


def main(documents, queries, scratch):
    print(json.dumps(tantivy(documents, queries, scratch / "tantivy")), flush=True)
    if JAR.exists():
        source = HERE / "Lucene.java"
        java = ["java", "-Xmx2g", "-cp", JAR, source, documents, queries, scratch / "lucene"]
        subprocess.run(java, check=True)


if __name__ == "__main__":
    install()
    main(*map(pathlib.Path, sys.argv[1:4]))
