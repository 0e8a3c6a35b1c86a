//! `fyke papers`: papers in several formats taken apart, and models of a user's own.

use crate::fixture::{arg, fyke};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;

const PAPER: &str = "\
Fishing by Night in Tidal Rivers
Ann Fisher
Department of Computer Science, University of Dover, Dover
fisher@cs.dover.edu

Abstract
We describe nets that catch eels by night. Experiments in three rivers show that nets with wings catch more.

1 Introduction
Nets are old [1]. Hooks were studied by many people [2].

References
[1] A. Fisher. Nets by night. Journal of Tides, 3(2):12-19, 1999.
[2] B. Netter and C. Hook. Hooks in rivers. In Proceedings of the Conference on Fish, pages 1-9, 1987.
";

fn html() -> String {
    let mut out = String::from("<html><title>x</title><nav>Menu</nav>");
    for block in PAPER.split("\n\n") {
        let lines = block.lines().map(|line| format!("{line}<br>")).collect::<String>();
        let _ = write!(out, "<p>{lines}</p>");
    }
    out
}

/// A file with a page of lines, which are drawn one below the other.
fn pdf() -> String {
    let mut drawn = String::from("BT /F1 10 Tf 12 TL 50 780 Td\n");
    for line in PAPER.lines() {
        let line = line.replace('(', "\\(").replace(')', "\\)");
        let _ = writeln!(drawn, "({line}) Tj T*");
    }
    drawn.push_str("ET");
    format!(
        "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj\n\
         2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n\
         3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 612 842] /Contents 4 0 R \
         /Resources <</Font <</F1 <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>>>>>>> endobj\n\
         4 0 obj <</Length {}>> stream\n{drawn}\nendstream endobj\ntrailer <</Root 1 0 R>>\n",
        drawn.len()
    )
}

#[test]
fn papers_of_several_formats_have_headers_references_and_contexts() {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in [("a.txt", PAPER.to_owned()), ("b.html", html()), ("c.pdf", pdf())] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    let ran = fyke(&["papers", "parse", "--json", arg(dir.path())]).ends(0, &[]);
    let papers: Vec<Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(papers.len(), 3);
    for paper in papers {
        assert_eq!(paper["header"]["title"], "Fishing by Night in Tidal Rivers", "{paper:#}");
        assert_eq!(paper["header"]["emails"][0], "fisher@cs.dover.edu");
        assert_eq!(paper["header"]["authors"][0]["family"], "Fisher");
        assert_eq!(paper["references"].as_array().unwrap().len(), 2, "{paper:#}");
        assert_eq!(paper["references"][1]["title"], "Hooks in rivers");
        assert_eq!(paper["contexts"][0]["sentence"], "Nets are old [1].");
        assert_eq!(paper["notes"].as_array().unwrap().len(), 0);
    }
}

#[test]
fn a_paper_is_text_bibtex_or_tei() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.txt");
    fs::write(&file, PAPER).unwrap();
    let out =
        |format: &str| fyke(&["papers", "parse", "--format", format, arg(&file)]).ends(0, &[]).out;
    assert!(out("text").contains("Authors      Ann Fisher\n"), "{}", out("text"));
    assert!(out("bibtex").contains("@article{fisher1999nets,\n  author = {Fisher, A.},\n"));
    let tei = out("tei");
    assert!(tei.starts_with("<?xml") && tei.contains("<surname>Netter</surname>"), "{tei}");
}

#[test]
fn what_is_no_text_is_said_and_ends_with_1() {
    let dir = tempfile::tempdir().unwrap();
    let (scan, letter) = (dir.path().join("scan.pdf"), dir.path().join("letter.txt"));
    fs::write(&scan, pdf().replace("Tj", "  ")).unwrap();
    fs::write(&letter, "Dear Ann,\n\nwe meet at noon.\n").unwrap();
    fyke(&["papers", "parse", arg(&scan)]).ends(1, &["scan.pdf: no text: pictures only"]);
    let ran = fyke(&["papers", "parse", arg(&letter)]).ends(0, &[]);
    assert!(ran.out.contains("Not found") && ran.out.contains("references"), "{}", ran.out);
}

#[test]
fn a_model_is_trained_from_a_tagged_file_and_used() {
    let dir = tempfile::tempdir().unwrap();
    let (tagged, model) = (dir.path().join("tagged.txt"), dir.path().join("my.model"));
    let paper = dir.path().join("a.txt");
    let line = |n: u32| {
        format!("<author> A. Fisher. </author> <title> Nets {n}. </title> <date> 19{n}. </date>\n")
    };
    fs::write(&tagged, (10..40).map(line).collect::<String>()).unwrap();
    fs::write(&paper, PAPER).unwrap();
    let made = fyke(&["--json", "papers", "train", arg(&tagged), "-o", arg(&model)]).ends(0, &[]);
    assert_eq!(made.json()["texts"], 30);
    let bytes = fs::read(&model).unwrap();
    let holds = |word: &[u8]| bytes.windows(word.len()).any(|part| part == word);
    assert!(holds(b"30 references of tagged.txt") && !holds(b"Fisher") && !holds(b"fisher"));
    let ran =
        fyke(&["papers", "parse", "--json", "--model", arg(&model), arg(&paper)]).ends(0, &[]);
    let fields = ran.json()["references"][0]["fields"].clone();
    let known =
        |field: &Value| ["author", "title", "date"].contains(&field["field"].as_str().unwrap());
    assert!(fields.as_array().unwrap().iter().all(known), "{fields}");
    fyke(&["papers", "parse", "--model", arg(&paper), arg(&paper)]).ends(2, &["not a model"]);
    fyke(&["papers", "train", arg(&paper), "-o", arg(&model)]).ends(2, &["no tagged fields"]);
}

#[test]
fn the_tour_of_papers_keeps_within_the_gates() {
    let tour = ["demo", "--papers", "--budget", "800", "--no-serve", "--json", "-q"];
    let card = fyke(&tour).ends(0, &[]).json();
    let gates = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
    let gates: toml::Table = fs::read_to_string(gates).unwrap().parse().unwrap();
    let number = |value: &toml::Value| value.as_float().or(value.as_integer().map(|n| n as f64));
    for (kind, is_least) in [("least", true), ("most", false)] {
        for (name, limit) in gates["papers"][kind].as_table().unwrap() {
            let (found, limit) = (card[name].as_f64().unwrap(), number(limit).unwrap());
            assert!(if is_least { found >= limit } else { found <= limit }, "{name}: {card}");
        }
    }
}

#[test]
fn a_new_collection_for_papers_looks_for_them_and_has_topics() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("library");
    fyke(&["new", arg(&folder), "--papers", "http://cs.a.test/", "http://cs.b.test/"]).ends(0, &[]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert!(read("fyke.toml").contains("targets = \"papers\""), "{}", read("fyke.toml"));
    assert!(read("topics.toml").contains("machine-learning/neural-networks"));
    fyke(&["-C", arg(&folder), "config"]).ends(0, &[]);
}
