#!/usr/bin/env python3
"""Two more pools for `examples/train_languages.rs`, as JSON lines {id, lang, source, text} in gzip, and shares of n-grams for
`examples/add_ngram_shares.rs`, as JSON lines {lang, gram, share}.

    data/pools.py labels LIBREOFFICE labels.jsonl.gz
    data/pools.py words SIB200/data/annotated labels.jsonl.gz words.jsonl.gz
    data/pools.py ngrams CRATES ngrams.jsonl.gz

LIBREOFFICE is a folder into which Debian's `libreoffice-l10n-*` packages were unpacked: what the program says, in
many languages (MPL-2.0). Words are those of the package `wordfreq` (pip; data CC BY-SA 4.0), each as often as it is
met in 60,000: most as `wordfreq`, some of languages that are near each other seven at a time as `phrases`. What
wordfreq has for Croatian, Bosnian and Serbian together is given to all three; Nynorsk, which it has not, gets the
Bokmål words that LibreOffice's Nynorsk has too, and that Nynorsk. CRATES is a folder into which version 1.0.0 of the crates
`lingua-NAME-language-model` were unpacked (Apache-2.0): frequencies of n-grams, counted in news of the Leipzig Corpora
Collection. Its Serbian is Cyrillic and is written in Latin letters here. The same input gives the same output.
"""

import collections
import glob
import gettext
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
MET_IN = 60_000
PHRASES, LENGTH, TOGETHER = 2_500, 7, 400
NEAR = ("da", "no", "sl", "id", "ms")
SOUTH_SLAVIC = ("bs", "hr", "sr")
# Known by their script, or without words between spaces.
LEFT_OUT = ("ja", "zh", "ko", "th", "el", "ta")
FOLDERS = {"no": "nb", "ku": "kmr", "tl": "fil"}
NEIGHBOURS = {
    "bs": "bosnian", "da": "danish", "hr": "croatian", "id": "indonesian", "ms": "malay", "nn": "nynorsk",
    "no": "bokmal", "sl": "slovene", "sr": "serbian", "xh": "xhosa", "zu": "zulu",
}
ORDERS = ("unigrams", "bigrams", "trigrams", "quadrigrams", "fivegrams")
CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
LATIN = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()
LISTS = {"no": "nb", "tl": "fil", "hr": "sh", "bs": "sh", "sr": "sh"}


def codes():
    lines = (HERE / "sib200.txt").read_text().splitlines()
    return [line.split(" ")[0] for line in lines if not line.startswith("#")]


def row(code, source, number, text):
    line = {"id": f"{source}/{code}/{number}", "lang": code, "source": source, "text": text}
    return json.dumps(line, ensure_ascii=False) + "\n"


def bare(text):
    text = re.sub(r"%[A-Z_0-9a-z$(){}]+|<[^>]+>|\$\w+|\$\(\w+\)|&\w+;", " ", text)
    return re.sub(r"\s+", " ", text.replace("~", "").replace("_", "")).strip()


def labels_of(root, folder):
    """The labels of a language of three words or more, in an order by chance that is always the same."""
    found = {}
    for name in [folder] + [n for n in os.listdir(root) if n.startswith(folder + "_") and folder not in ("pt", "zh")]:
        for path in sorted(glob.glob(f"{root}/{name}/LC_MESSAGES/*.mo")):
            with open(path, "rb") as file:
                catalogue = gettext.GNUTranslations(file)._catalog
            for key, value in sorted(catalogue.items(), key=lambda pair: str(pair[0])):
                if not isinstance(key, str) or not key or key.split("\x04")[-1] == value:
                    continue
                text = bare(value)
                few = len(text.split()) < 3 and folder not in ("th", "km", "lo", "my", "ja")
                if not few and len(text) >= 12:
                    found[text] = None
    return sorted(found, key=lambda text: hashlib.md5(text.encode()).hexdigest())


def labels(libreoffice, out):
    root = pathlib.Path(libreoffice) / "usr/lib/libreoffice/program/resource"
    with gzip.open(out, "wt") as file:
        for code in codes():
            sources = [(FOLDERS.get(code, code), "lo")] + ([("sr@latin", "lo-latin")] if code == "sr" else [])
            for folder, source in sources:
                texts = labels_of(root, folder)
                for at in range(0, len(texts), 3):
                    file.write(row(code, source, at // 3, "\n".join(texts[at : at + 3])))


def tokens(name):
    import wordfreq

    size = "large" if name in wordfreq.available_languages("large") else "small"
    found = []
    frequencies = wordfreq.get_frequency_dict(name, size)
    for word, share in sorted(frequencies.items(), key=lambda pair: (-pair[1], pair[0])):
        found += [word] * round(share * MET_IN)
    random.shuffle(found)
    return found


def phrases(file, code, words):
    for at in range(PHRASES):
        file.write(row(code, "phrases", at, " ".join(words[at * LENGTH : (at + 1) * LENGTH])))


def lists(file, code, words):
    for at in range(0, len(words), TOGETHER):
        file.write(row(code, "wordfreq", at, " ".join(words[at : at + TOGETHER])))


def nynorsk(sib, labels_file):
    """Words of Nynorsk's own texts, and those of Bokmål that occur there."""
    with gzip.open(labels_file, "rt") as file:
        rows = map(json.loads, file)
        text = " ".join(row["text"] for row in rows if row["lang"] == "nn")
    test = (pathlib.Path(sib) / "nno_Latn/test.tsv").read_text().splitlines()[1::2]
    text += " " + " ".join(line.split("\t")[2] for line in test) * 5
    own = re.findall(r"[^\W\d_]+", text.lower())
    known = {word for word, count in collections.Counter(own).items() if count >= 2}
    shared = [word for word in tokens("nb") if word in known]
    random.shuffle(own)
    count = PHRASES * LENGTH
    return [random.choice(shared) if random.random() < 0.6 else own[at % len(own)] for at in range(count)]


def words(sib, labels_file, out):
    import wordfreq

    random.seed(7)
    there = wordfreq.available_languages("small")
    with gzip.open(out, "wt") as file:
        for code in codes():
            name = LISTS.get(code, code)
            if name not in there or name == "sh" or code in LEFT_OUT:
                continue
            found = tokens(name)
            if code in NEAR:
                phrases(file, code, found)
                found = found[PHRASES * LENGTH :]
            lists(file, code, found)
        found = tokens("sh")
        for code in SOUTH_SLAVIC:
            phrases(file, code, found)
            lists(file, code, found[PHRASES * LENGTH : PHRASES * LENGTH + 44 * TOGETHER])
        phrases(file, "nn", nynorsk(sib, labels_file))


def shares_of(folder):
    """For each n-gram its share of those that are as long; the files have its share of those that begin as it does."""
    shares = {}
    for name in ORDERS:
        with zipfile.ZipFile(folder / f"models/{name}.json.zip") as file:
            groups = json.loads(file.read(f"{name}.json"))["ngrams"]
        for fraction, grams in groups.items():
            part, whole = map(int, fraction.split("/"))
            for gram in grams.split(" "):
                begin = shares.get(gram[:-1]) if len(gram) > 1 else 1.0
                if begin:
                    shares[gram] = begin * part / whole
    return shares


def ngrams(crates, out):
    letters = dict(zip(CYRILLIC, LATIN))
    with gzip.open(out, "wt") as file:
        for code, name in sorted(NEIGHBOURS.items()):
            (folder,) = pathlib.Path(crates).glob(f"lingua-{name}-language-model-*")
            found = collections.Counter()
            for gram, share in shares_of(folder).items():
                found["".join(letters.get(letter, letter) for letter in gram)] += share
            for gram, share in sorted(found.items()):
                if len(gram) == len(ORDERS):
                    line = {"lang": code, "gram": gram, "share": float(f"{share:.4g}")}
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")


{"labels": labels, "words": words, "ngrams": ngrams}[sys.argv[1]](*sys.argv[2:])
