//! `fyke lab agree`, `compare`, `report` and `gate` on files, as people run them.

use crate::fixture::{Ran, arg, fyke};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Hostile, and without spaces, as names in TREC files are.
const HOSTILE: &str = "<script>alert('1')</script>&\"\u{1}";

/// A folder with judgements of 30 queries and two runs, of which the new one fails 12.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        let queries: Vec<String> =
            (0..29).map(|n| format!("q{n}")).chain([HOSTILE.to_owned()]).collect();
        let mut qrels = String::new();
        let (mut old, mut new) = (String::new(), String::new());
        for (n, query) in queries.iter().enumerate() {
            let _ = write!(qrels, "{query} 0 good 2\n{query} 0 bad 0\n");
            let _ = write!(old, "{query} Q0 good 1 2 t\n{query} Q0 bad 2 1 t\n");
            let (first, second) = if n < 18 { ("good", "bad") } else { ("bad", "unseen") };
            let _ = write!(new, "{query} Q0 {first} 1 2 t\n{query} Q0 {second} 2 1 t\n");
        }
        files.write("qrels", &qrels);
        files.write("old.run", &old);
        files.write("new.run", &new);
        files
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `fyke lab …`; words that name a file of the folder become its path.
    fn lab(&self, line: &str) -> Ran {
        let words = line.split(' ').map(|word| match word.strip_prefix('@') {
            Some(name) => arg(&self.path(name)).to_owned(),
            None => word.to_owned(),
        });
        let words: Vec<String> = ["lab".to_owned()].into_iter().chain(words).collect();
        fyke(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

#[test]
fn runs_are_compared_with_tests_and_plots() {
    let files = Files::new();
    let asked = "compare @qrels @old.run @new.run -m RR -m P@1 --plots @plots";
    let ran = files.lab(asked).ends(0, &["warning: 30 queries", "favours old.run"]);
    assert!(
        ran.out.contains("new.run is worse than old.run: -0.4000, p = 0.001 (Holm)"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains('\u{1}'), "{}", ran.out);
    let found = files.lab(&format!("{asked} --json")).ends(0, &[]).json();
    let second = &found["measures"][1]["systems"][1];
    assert_eq!((&second["name"], &second["mean"]), (&"new.run".into(), &0.6.into()));
    assert_eq!(second["difference"]["gains"].as_array().unwrap().len(), 30);
    assert_eq!(second["difference"]["tests"].as_array().unwrap().len(), 3);
    for name in ["curves.svg", "spread-RR.svg", "gains-P@1-2-new.run.svg"] {
        let svg = fs::read_to_string(files.path("plots").join(name)).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("</svg>"), "{name}");
    }
}

#[test]
fn a_report_is_one_file_that_asks_for_nothing() {
    let files = Files::new();
    fs::copy(files.path("new.run"), files.path("new<b>.run")).unwrap();
    let asked = "report @qrels @old.run @new<b>.run --judges @qrels @qrels --title <i>";
    files.lab(&format!("{asked} --out @report.html")).ends(0, &["wrote"]);
    let page = fs::read_to_string(files.path("report.html")).unwrap();
    for outside in ["<script", "src=", "href=", "@import", "url(", "<b>", "<i>"] {
        assert!(!page.contains(outside), "{outside} in the report");
    }
    let addresses = page.matches("http://").count() + page.matches("https://").count();
    assert_eq!(addresses, page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count());
    for part in [
        "new&#60;b&#62;.run",
        "Precision and recall",
        "Agreement of the judges",
        "prefers-color-scheme",
    ] {
        assert!(page.contains(part), "no {part}");
    }
}

#[test]
fn the_gate_fails_a_build_and_names_what_hurts() {
    let files = Files::new();
    let junit = "--junit @gate.xml";
    files.lab(&format!("gate @qrels @new.run --min RR=0.5 {junit}")).ends(0, &[]);
    let rules = "--baseline @old.run --min RR=0.5 --max-drop 0.02 --alpha 0.05";
    let ran = files.lab(&format!("gate @qrels @new.run {rules} {junit}")).ends(5, &[]);
    assert!(ran.out.contains("held    RR at least 0.5: 0.6000 is at or above 0.5"), "{}", ran.out);
    assert!(
        ran.out.contains("BROKEN  RR at most 0.02 below the baseline (alpha 0.05): fell by 0.4000")
    );
    assert_eq!(ran.out.matches("1.0000 to 0.0000").count(), 5, "{}", ran.out);
    assert_eq!(junit_of(&files.path("gate.xml")), "2 cases, 1 broken");
    let found = files.lab(&format!("gate @qrels @new.run {rules} --json")).ends(5, &[]).json();
    assert_eq!(
        (&found["is_held"], &found["verdicts"][1]["is_held"]),
        (&false.into(), &false.into())
    );
    files.write("gates.toml", "alpha = 0.05\n[min]\nRR = 0.5\n\"P@1\" = 0.7\n[max-drop]\nRR = 0.5");
    let ran = files.lab("gate @qrels @new.run --baseline @old.run --file @gates.toml").ends(5, &[]);
    assert_eq!(
        (ran.out.matches("held  ").count(), ran.out.matches("BROKEN").count()),
        (2, 1),
        "{}",
        ran.out
    );
}

/// What a reader of XML finds in a JUnit file.
fn junit_of(path: &Path) -> String {
    let script = "import sys, xml.etree.ElementTree as tree\n\
                  cases = tree.parse(sys.argv[1]).findall('testsuite/testcase')\n\
                  broken = [case for case in cases if case.find('failure') is not None]\n\
                  print(f'{len(cases)} cases, {len(broken)} broken', end='')";
    let output =
        std::process::Command::new("python3").args(["-c", script, arg(path)]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn judges_agree_as_in_the_lecture() {
    let files = Files::new();
    let table = [(300, 1, 1), (70, 0, 0), (20, 1, 0), (10, 0, 1)];
    let grades: Vec<(i32, i32)> = table.into_iter().flat_map(|(n, a, b)| vec![(a, b); n]).collect();
    let (mut ann, mut bob, mut log) = (String::new(), String::new(), String::new());
    for (n, (a, b)) in grades.iter().enumerate() {
        let _ = writeln!(ann, "q{} 0 d{n} {a}", n % 30);
        let _ = writeln!(bob, "q{} 0 d{n} {b}", n % 30);
        for (judge, grade) in [("ann", a), ("bob", b)] {
            let _ = writeln!(
                log,
                r#"{{"judge":"{judge}","query":"{}","document":"d{n}","grade":{grade}}}"#,
                n % 30
            );
        }
    }
    files.write("ann", &ann);
    files.write("bob", &bob);
    files.write("log.jsonl", &log);
    for asked in ["agree @ann @bob", "agree @log.jsonl", "agree @ann @bob --relevant 1"] {
        let ran = files.lab(asked).ends(0, &[]);
        assert!(
            ran.out.contains("0.925  0.665  0.776") && ran.out.contains("tentative"),
            "{}",
            ran.out
        );
        assert!(ran.out.contains("30 to settle together"), "{}", ran.out);
    }
    let all_relevant = files.lab("agree @ann @bob --relevant 0").ends(0, &[]);
    assert!(all_relevant.out.contains("1.000  1.000  1.000"), "{}", all_relevant.out);
    let found =
        files.lab("agree @ann @bob @ann --runs @old.run @new.run --json").ends(0, &[]).json();
    assert_eq!(found["pairs"].as_array().unwrap().len(), 3);
    assert_eq!(found["pairs"][1]["kappa"]["value"], 1.0);
    assert_eq!(found["effect"]["orders"].as_array().unwrap().len(), 3);
    assert_eq!(found["disagreements"][0]["gap"], 1);
}

#[test]
fn what_cannot_be_done_is_said() {
    let files = Files::new();
    files.write("empty", "");
    files.write("bad.toml", "[min]\nRR = 0.5\n[max-rise]\nRR = 1.0");
    files
        .write("torn.jsonl", "{\"judge\":\"a\",\"query\":\"1\",\"document\":\"d\",\"grade\":1}\n{");
    let check = |line: &str, says: &[&str]| {
        files.lab(line).ends(2, says);
    };
    check("compare @qrels @old.run", &["one run is nothing to compare"]);
    check("compare @qrels @old.run @new.run -m nDGC", &["unknown measure `nDGC`"]);
    check("compare @empty @old.run @new.run", &["empty: nothing is judged here"]);
    check("compare @qrels @old.run @none.run", &["none.run: No such file"]);
    check("agree @qrels", &["1 judge: agreement takes two or more"]);
    check("agree @qrels @torn.jsonl", &["torn.jsonl: line 2"]);
    check("gate @qrels @new.run", &["no rule; try --min"]);
    check("gate @qrels @new.run --min RR", &["MEASURE=FIGURE"]);
    check("gate @qrels @new.run --min RR=high", &["`high` is not a number"]);
    check("gate @qrels @new.run --max-drop 0.1", &["--baseline"]);
    check("gate @qrels @new.run --min RR=0.1 --alpha 5", &["alpha is a chance"]);
    check("gate @qrels @new.run --file @bad.toml", &["bad.toml", "max-rise"]);
}
