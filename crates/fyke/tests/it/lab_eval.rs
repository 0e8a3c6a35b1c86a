//! `fyke lab eval` and `fyke lab convert`: files of anybody's engine in, figures out.

use crate::fixture::{arg, fyke};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

const QRELS: &str = "1 0 a 1\n1 0 b 0\n2 0 c 2\n2 0 d 1\n";
const RUN: &str = "1 Q0 b 1 9 mine\n1 Q0 a 2 8 mine\n2 Q0 d 1 5 mine\n2 Q0 x 2 4 mine\n";

fn files(qrels: &str, run: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("qrels"), dir.path().join("run"));
    fs::write(&first, qrels).unwrap();
    fs::write(&second, run).unwrap();
    (dir, first, second)
}

fn packed(path: &Path, text: &str) {
    let mut file = GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
    file.write_all(text.as_bytes()).unwrap();
    file.finish().unwrap();
}

#[test]
fn figures_come_with_intervals_and_with_the_warnings_of_the_sources() {
    let (_dir, qrels, run) = files(QRELS, RUN);
    packed(&run, RUN);
    let asked = ["-m", "AP", "-m", "SetAccuracy", "-m", "R@10", "-m", "NumRel", "--queries"];
    let told = fyke(&[&["lab", "eval", arg(&qrels), arg(&run)], &asked[..]].concat());
    let says = [
        "Snoogle",
        "the true recall is lower",
        "few of the first ten results are judged: 75 % of mine",
        "only 2 queries",
    ];
    let told = told.ends(0, &says);
    let line =
        |name: &str| told.out.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(line("AP").contains("0.5000 – 0.5000"), "{}", told.out);
    assert!(line("NumRel").trim_end().ends_with("3.0000"), "{}", told.out);
    assert!(line("measure").contains("95 % by Student's t"), "{}", told.out);
    assert!(told.out.contains("2 queries, 75.0 % of the first 10 results"), "{}", told.out);
    assert!(
        told.out.lines().any(|line| line.trim_start().starts_with("2 ") && line.contains("0.5000"))
    );
    let json = fyke(&["--json", "lab", "eval", arg(&qrels), arg(&run), "-m", "AP"]).ends(0, &[]);
    let json = json.json();
    assert_eq!((&json["means"][0], &json["queries"]["2"][0]), (&0.5.into(), &0.5.into()));
    assert_eq!(json["intervals"][0]["low"], 0.5);
    assert!(!json["warnings"].as_array().unwrap().is_empty());
}

#[test]
fn the_output_of_trec_eval_is_printed_line_for_line() {
    let (_dir, qrels, run) = files(&format!("{QRELS}3 0 a 1\n"), RUN);
    let trec = |args: &[&str]| {
        fyke(&[&["lab", "eval", "--trec-eval", arg(&qrels), arg(&run)], args].concat()).ends(0, &[])
    };
    let official = trec(&[]).out;
    assert!(
        official.starts_with("runid                 \tall\tmine\nnum_q                 \tall\t2\n")
    );
    assert_eq!(official.lines().count(), 30);
    let asked = ["-m", "map", "-m", "P.2,1", "-c", "-l2", "-M1", "--queries", "-n"];
    let expected = "map                   \t1\t0.0000\nP_1                   \t1\t0.0000\n";
    assert!(trec(&asked).out.starts_with(expected), "{}", trec(&asked).out);
    assert_eq!(trec(&asked).out.lines().count(), 9);
}

#[test]
fn what_cannot_be_read_or_computed_is_named() {
    let (_dir, qrels, run) = files(QRELS, "1 Q0 b 1 9 mine\n1 Q0 a 2 eight mine\n");
    let eval = |args: &[&str]| fyke(&[&["lab", "eval", arg(&qrels), arg(&run)], args].concat());
    eval(&[]).ends(2, &["run: line 2: score `eight` is not a number"]);
    fs::write(&run, format!("{RUN}1 Q0 a 3 7 mine\n")).unwrap();
    eval(&[]).ends(2, &["run: line 5: document a a second time for query 1"]);
    fs::write(&run, RUN).unwrap();
    eval(&["-m", "nDGC"]).ends(2, &["unknown measure `nDGC`"]);
    eval(&["--trec-eval", "-m", "nDCG@10"]).ends(2, &["unknown measure `nDCG@10`"]);
    eval(&["--trec-eval", "-R", "prefs", "-m", "map"]).ends(2, &["map", "prefs"]);
    eval(&["--trec-eval", "-R", "votes"]).ends(2, &["qrels_jg"]);
    eval(&["-c"]).ends(2, &["--trec-eval"]);
}

#[test]
fn files_go_from_one_format_into_another_and_back() {
    let (dir, _, run) = files(QRELS, RUN);
    let convert = |what: &str, from: &Path, to: &str| {
        fyke(&["lab", "convert", what, arg(from), "--to", to]).ends(0, &[]).out
    };
    let lines = convert("run", &run, "jsonl");
    assert!(
        lines.starts_with(r#"{"doc_id":"b","query_id":"1","score":9.0,"tag":"mine"}"#),
        "{lines}"
    );
    let there = dir.path().join("run.jsonl");
    fs::write(&there, &lines).unwrap();
    assert_eq!(convert("run", &there, "trec"), RUN);
    let topics = dir.path().join("topics");
    fs::write(&topics, "<top>\n<num> Number: 7\n<title> red wine\n</top>\n").unwrap();
    assert_eq!(convert("topics", &topics, "tsv"), "query_id\ttext\n7\tred wine\n");
    let blanks = dir.path().join("blanks.tsv");
    fs::write(&blanks, "query_id\tdoc_id\trelevance\n1\ta 1\t2\n").unwrap();
    let lost = fyke(&["lab", "convert", "qrels", arg(&blanks), "--to", "trec"]);
    lost.ends(1, &["trec cannot hold all of it", "--to jsonl"]);
    fyke(&["lab", "convert", "run", arg(&run), "--to", "xml"]).ends(2, &["trec"]);
    fyke(&["lab", "convert", "runs", arg(&run), "--to", "tsv"]).ends(2, &["qrels, run or topics"]);
}
