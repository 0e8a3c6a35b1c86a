#!/usr/bin/env python3
"""Writes `codepages.txt`: code pages that the web's standard does not have, from Python's codecs.

    data/codepages.py > data/codepages.txt
    data/codepages.py --check data/codepages.txt

A line is a name, labels with commas between them, and the code point of each of the 256 octets; FFFD where
the page has none. `--check` decodes every octet by Python and says which lines differ.
"""

import codecs
import sys

EBCDIC = ["037", "500", "1026", "1140", "273"]
DOS = [
    "437", "720", "737", "775", "850", "852", "855", "856", "857", "858", "860", "861", "862", "863", "864",
    "865", "869", "1125",
]
OTHERS = {
    "037": ["ebcdic-cp-ca", "ebcdic-cp-us", "ebcdic-cp-nl", "ebcdic-cp-wt"],
    "500": ["ebcdic-cp-be", "ebcdic-cp-ch"],
    "850": ["cspc850multilingual"],
    "852": ["cspcp852"],
    "437": ["cspc8codepage437"],
    "862": ["cspc862latinhebrew", "dos-862"],
    "720": ["dos-720"],
    "858": ["ccsid00858", "pc-multilingual-850+euro"],
    "869": ["cp-gr"],
    "861": ["cp-is"],
    "1125": ["ruscii", "cp866u"],
}


def codepoint(page, octet):
    try:
        text = codecs.decode(bytes([octet]), f"cp{page}")
    except UnicodeDecodeError:
        return "FFFD"
    # Python leaves undefined octets of a few pages as what they are in Latin-1.
    return f"{ord(text):02X}"


def line(page):
    short = page.lstrip("0")
    labels = {f"cp{page}", f"cp-{page}", f"ibm{page}", f"ibm-{page}", f"csibm{page}", page}
    labels |= {f"cp{short}", f"ibm{short}", f"ibm00{short}"} if page != "037" else set()
    labels |= set(OTHERS.get(page, []))
    return f"IBM{page} {','.join(sorted(labels))} " + " ".join(codepoint(page, o) for o in range(256))


def main():
    lines = [line(page) for page in EBCDIC + DOS]
    if sys.argv[1:2] == ["--check"]:
        with open(sys.argv[2], encoding="ascii") as file:
            there = file.read().splitlines()
        wrong = [row.split(" ")[0] for row in lines if row not in there]
        sys.exit(f"differ: {', '.join(wrong)}" if wrong or len(there) != len(lines) else 0)
    print("\n".join(lines))


main()
