#!/usr/bin/env python3
"""Load on a running site: many connections at once, or very many hostile queries one after another.

  fyke serve --bind 127.0.0.1:7700 &
  python3 benches/load.py http://127.0.0.1:7700 --pid $! --connections 200 --seconds 60
  python3 benches/load.py http://127.0.0.1:7700 --hostile 10000

Prints answers, errors (a status of 500 and above, or no answer), times and the memory of the process
before and after, as one JSON object; ends with 1 if there was an error. Only the standard library.
"""
import argparse, asyncio, json, random, sys, time, urllib.parse

WORDS = "tidal turbine wind energy water river fish net museum bread history wood tidel turbin".split()
HOSTILE = ['"', "(", ")", "((((", "+", "-", "AND", "OR", "NOT", "NEAR/9999999999", "~5", "*", "t*", "title:", "site:",
           "lang:zz", "type:", "date:>9999", "date:..", "url:", "http://", "<img src=x onerror=alert(1)>", "\0", "\u202e",
           "e\u0301", "日本語", "🐟", "%", "&", "18446744073709551616", "a" * 500, "C++", "x@y.z"]
PATHS = ["/search?q={}", "/search?q={}&start=10", "/api/v1/search?q={}&facets=1&explain=1", "/suggest?q={}", "/search.rss?q={}"]


def path(dice, parts, most):
    words = " ".join(dice.choice(parts) for _ in range(dice.randint(1, most)))
    return dice.choice(PATHS).format(urllib.parse.quote(words))


async def ask(reader, writer, host, where):
    """The status of one answer, read to its end."""
    writer.write(f"GET {where} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    await writer.drain()
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next((int(line[15:]) for line in lines if line.startswith("content-length:")), 0)
    await reader.readexactly(length)
    return int(lines[0].split(" ")[1])


async def visitor(number, address, until, most, parts, times, errors):
    host, port = address
    dice = random.Random(number)
    reader, writer = await asyncio.open_connection(host, port)
    while time.monotonic() < until and len(times) < most:
        where = path(dice, parts, 4 if parts is WORDS else 8)
        start = time.monotonic()
        try:
            status = await asyncio.wait_for(ask(reader, writer, host, where), 60)
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
            errors.append(f"{where}: {error!r}")
            reader, writer = await asyncio.open_connection(host, port)
            continue
        times.append(time.monotonic() - start)
        if status >= 500:
            errors.append(f"{where}: {status}")
    writer.close()


def memory(pid):
    if not pid:
        return None
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))


async def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--pid", type=int, help="process whose memory is watched")
    parser.add_argument("--connections", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--hostile", type=int, metavar="N", help="ask N hostile queries instead")
    args = parser.parse_args()
    url = urllib.parse.urlsplit(args.url)
    parts = WORDS + HOSTILE if args.hostile else WORDS
    times, errors, before = [], [], memory(args.pid)
    start = time.monotonic()
    until, most = (start + 3600, args.hostile) if args.hostile else (start + args.seconds, sys.maxsize)
    watched = []

    async def watch():
        while True:
            await asyncio.sleep(1)
            watched.append(memory(args.pid))

    watching = asyncio.create_task(watch()) if args.pid else None
    connections = 8 if args.hostile else args.connections
    await asyncio.gather(*(visitor(n, (url.hostname, url.port or 80), until, most, parts, times, errors)
                           for n in range(connections)))
    if watching:
        watching.cancel()
    times.sort()
    at = lambda share: round(1000 * times[min(len(times) - 1, int(share * len(times)))], 1) if times else None
    half = watched[len(watched) // 2:len(watched) // 2 + 1]
    print(json.dumps({
        "connections": connections, "seconds": round(time.monotonic() - start, 1), "answers": len(times),
        "errors": len(errors), "first_errors": errors[:5], "ms_p50": at(.5), "ms_p99": at(.99),
        "rss_before": before, "rss_half": half[0] if half else None, "rss_after": memory(args.pid),
    }, indent=1))
    return bool(errors)


sys.exit(asyncio.run(main()))
