"""Reads an exported table with three libraries and compares every value with the JSON lines; reads the
exported captures with warcio, digests included."""

import json
import sys

import duckdb
import polars
import pyarrow.parquet
from warcio.archiveiterator import ArchiveIterator

root = sys.argv[1]
path = f"{root}/documents.parquet"
with open(f"{root}/documents.jsonl", encoding="utf-8") as lines:
    expected = [json.loads(line) for line in lines]


def moment(value):
    """A moment as the JSON lines have it."""
    return value.strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03d}Z"


def compare(tool, rows):
    """Every value of every row, and no row or column more or less."""
    assert len(rows) == len(expected), f"{tool}: {len(rows)} rows"
    for row, line in zip(rows, expected):
        row["captured"] = moment(row["captured"])
        assert row.keys() == line.keys(), f"{tool}: {row.keys()}"
        for key, value in line.items():
            assert row[key] == value, f"{tool}: {key} of {line['url']}: {row[key]!r}"


table = pyarrow.parquet.read_table(path)
assert str(table.schema.field("captured").type) == "timestamp[ms, tz=UTC]", table.schema
compare("pyarrow", table.to_pylist())
compare("polars", polars.read_parquet(path).to_dicts())
found = duckdb.sql(f"SET TimeZone = 'UTC'; SELECT * REPLACE (captured::TIMESTAMP AS captured) FROM '{path}'")
names = found.columns
compare("duckdb", [dict(zip(names, row)) for row in found.fetchall()])

with open(f"{root}/documents.warc.gz", "rb") as stream:
    urls = []
    for record in ArchiveIterator(stream, check_digests="raise"):
        record.content_stream().read()
        if record.rec_type == "response":
            urls.append(record.rec_headers.get_header("WARC-Target-URI"))
assert urls == [line["url"] for line in expected], urls
print(f"{len(expected)} rows read alike by pyarrow, polars, duckdb, warcio")
