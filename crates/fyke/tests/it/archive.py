"""Reads a captures folder with warcio and pywb, as an archivist would.

usage: archive.py CAPTURES URL
Checks with warcio that every record is whole, every digest right, every response paired with its
request; that our CDXJ names the places pywb's own indexer finds; and that pywb replays URL, of which
the last record says that nothing had changed.
"""

import io
import json
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from pywb.indexer.cdxindexer import write_cdx_index
from warcio.archiveiterator import ArchiveIterator


def read_with_warcio(files):
    pages, requests, not_modified, revisits, places = 0, 0, 0, {}, {}
    for file in files:
        with open(file, "rb") as stream:
            records = ArchiveIterator(stream, check_digests="raise")
            for record in records:
                body = record.content_stream().read()
                offset = records.get_record_offset()
                length = records.get_record_length()
                if record.rec_type == "response":
                    url = record.rec_headers["WARC-Target-URI"]
                    status = record.http_headers.get_statuscode()
                    places[(file.name, str(offset), str(length))] = (url, status)
                    if not url.endswith("/robots.txt"):
                        pages += 1
                    declared = record.http_headers.get_header("Content-Length")
                    coded = record.http_headers.get_header("Content-Encoding")
                    if declared and not coded:
                        assert int(declared) == len(body), (url, declared, len(body))
                elif record.rec_type == "revisit":
                    url = record.rec_headers["WARC-Target-URI"]
                    status = record.http_headers.get_statuscode()
                    not_modified += status == "304"
                    # What pywb would replay as it stands is in no index.
                    if status != "304":
                        places[(file.name, str(offset), str(length))] = (url, status)
                    profile = record.rec_headers["WARC-Profile"].rsplit("/", 1)[1]
                    expected = {"304": "server-not-modified"}.get(status, "identical-payload-digest")
                    assert profile == expected and body == b"", (url, status, profile)
                    assert record.rec_headers["WARC-Refers-To-Target-URI"] == url
                    revisits[url] = revisits.get(url, 0) + 1
                elif record.rec_type == "request":
                    requests += 1
    assert requests == len(places) + not_modified, (requests, len(places), not_modified)
    return pages, revisits, places


def read_cdxj(files):
    lines = []
    for file in files:
        found = file.read_text().splitlines()
        assert found == sorted(found), f"{file} is not sorted"
        lines += found
    places = {}
    for line in lines:
        key, timestamp, fields = line.split(" ", 2)
        fields = json.loads(fields)
        places[(fields["filename"], fields["offset"], fields["length"])] = (key, fields)
    return places


def index_with_pywb(files):
    places = {}
    for file in files:
        out = io.BytesIO()
        with open(file, "rb") as stream:
            write_cdx_index(out, stream, file.name, cdxj=True, include_all=False)
        for line in out.getvalue().decode().splitlines():
            if line.startswith(" ") or not line.strip():
                continue
            key, _, fields = line.split(" ", 2)
            fields = json.loads(fields)
            places[(file.name, fields["offset"], fields["length"])] = (key, fields)
    return places


def replay(captures, url):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fyke-pywb-"))
    pond = folder / "collections" / "pond"
    (pond / "archive").mkdir(parents=True)
    (pond / "indexes").mkdir()
    for file in captures.iterdir():
        kind = "archive" if file.name.endswith(".warc.gz") else "indexes"
        shutil.copy(file, pond / kind / file.name)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start = "import sys; from pywb.apps.cli import wayback; wayback(sys.argv[1:])"
    server = subprocess.Popen(
        [sys.executable, "-c", start, "-b", "127.0.0.1", "-p", str(port)],
        cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        for _ in range(300):
            try:
                return opener.open(f"http://127.0.0.1:{port}/pond/id_/{url}", timeout=10).read()
            except urllib.error.HTTPError:
                raise
            except OSError:
                assert server.poll() is None, server.stderr.read().decode()
                time.sleep(0.2)
        raise AssertionError("pywb never answered")
    finally:
        server.kill()
        server.wait()
        shutil.rmtree(folder)


def main():
    captures, url = pathlib.Path(sys.argv[1]), sys.argv[2]
    files = sorted(captures.glob("*.warc.gz"))
    pages, revisits, places = read_with_warcio(files)
    print(f"{pages} pages read by warcio")
    print(f"{len(revisits)} pages found unchanged")
    assert url in revisits, url
    ours = read_cdxj(sorted(captures.glob("*.cdxj")))
    assert set(ours) == set(places), sorted(set(ours) ^ set(places))[:5]
    theirs = index_with_pywb(files)
    theirs = {place: line for place, line in theirs.items() if place in places}
    assert len(theirs) >= pages, (len(theirs), len(ours), pages)
    for place, (key, fields) in theirs.items():
        assert ours[place][0] == key, (ours[place], key)
        assert ours[place][1]["digest"] == fields["digest"], (ours[place], fields)
    body = replay(captures, url).decode("utf-8", "replace")
    assert "</html>" in body, body[:200]
    print(f"{url} replayed by pywb")


if __name__ == "__main__":
    main()
