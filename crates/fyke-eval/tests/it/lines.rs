//! What is printed in trec_eval's format.

use crate::figures::{QRELS, RUN};
use fyke_eval::trec_eval::{
    Columns, JudgementFormat, JudgementText, SheetOptions, TrecEvalTrouble, ZScores, report,
};
use fyke_eval::{EvalOptions, Run};

const QUERIES: SheetOptions = SheetOptions { queries: true, summary: true, zscores: None };
const SUMMARY: SheetOptions = SheetOptions { queries: false, summary: true, zscores: None };

#[track_caller]
fn check(
    (text, format): (&str, JudgementFormat),
    run: &str,
    (names, complete, show): (&[&str], bool, &SheetOptions),
    expected: &str,
) {
    let options = EvalOptions { complete, ..EvalOptions::default() };
    let columns = Columns::named(names).unwrap();
    let judgements = JudgementText { text, format };
    let found = report(judgements, &Run::parse(run).unwrap(), &columns, &options, show).unwrap();
    // Blanks that fill the first column and tabs are one blank here.
    let found: Vec<String> =
        found.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(found, expected.lines().map(str::trim).collect::<Vec<_>>());
}

#[test]
fn a_line_is_a_name_in_22_letters_a_query_and_a_figure_between_tabs() {
    let columns = Columns::named(&["num_ret", "P.5"]).unwrap();
    let qrels = JudgementText { text: "1 0 a 1", format: JudgementFormat::Qrels };
    let run = Run::parse("1 Q0 a 1 1 t").unwrap();
    let found = report(qrels, &run, &columns, &EvalOptions::default(), &SUMMARY).unwrap();
    assert_eq!(found, "num_ret               \tall\t1\nP_5                   \tall\t0.2000\n");
}

#[test]
fn queries_without_an_answer_count_only_if_asked_for() {
    let run = "2 Q0 b 1 1 x\n1 Q0 a 1 1 t";
    let qrels = ("1 0 a 1\n2 0 a 1\n3 0 a 1", JudgementFormat::Qrels);
    let names: &[&str] = &["runid", "num_q", "num_rel", "map", "gm_map"];
    check(
        qrels,
        run,
        (names, false, &SUMMARY),
        "runid all t\nnum_q all 2\nnum_rel all 2\nmap all 0.5000\ngm_map all 0.0032",
    );
    let expected = "num_rel 1 1\nmap 1 1.0000\nnum_rel 2 1\nmap 2 0.0000\nnum_rel 3 1\nmap 3 0.0000
        runid all t\nnum_q all 3\nnum_rel all 3\nmap all 0.3333\ngm_map all 0.0005";
    check(qrels, run, (names, true, &QUERIES), expected);
}

#[test]
fn grades_are_shown_as_letters_for_each_query_alone() {
    let qrels = ("1 0 a 12\n1 0 b -1\n1 0 d 3", JudgementFormat::Qrels);
    let run = "1 Q0 a 1 9 t\n1 Q0 b 1 8 t\n1 Q0 c 1 7 t\n1 Q0 d 1 6 t";
    check(qrels, run, (&["relstring"], false, &QUERIES), "relstring 1 '>.-3'");
    check(qrels, run, (&["relstring.2"], false, &QUERIES), "relstring_2 1 '>.'");
}

#[test]
fn judges_are_averaged() {
    let qrels = ("1 ann a 1\n1 ann b 0\n1 bob a 0\n1 bob b 1", JudgementFormat::QrelsJg);
    let names: &[&str] = &["map_avgjg", "P_avgjg.1"];
    check(
        qrels,
        "1 Q0 a 1 2 t\n1 Q0 b 2 1 t",
        (names, false, &SUMMARY),
        "map_avgjg all 0.7500\nP_avgjg_1 all 0.5000",
    );
}

#[test]
fn preferences_are_kept_broken_or_not_seen() {
    // a > b, a > c, b > c; the ranking is b, a, and c was not retrieved.
    let run = "1 Q0 b 1 3 t\n1 Q0 a 2 2 t\n1 Q0 x 3 1 t";
    let names: &[&str] = &["prefs"];
    let expected = "runid all t\nnum_q all 1\nprefs_num_prefs_poss all 3\nprefs_num_prefs_ful all 2
        prefs_num_prefs_ful_ret all 0\nprefs_simp all 0.6667\nprefs_pair all 0.6667\nprefs_avgjg all 0.6667";
    let qrels = ("1 0 a 2\n1 0 b 1\n1 0 c 0", JudgementFormat::QrelsPrefs);
    check(qrels, run, (names, false, &SUMMARY), expected);
    // The same said in two subgroups: a > c follows.
    let prefs = "1 0 s1 a 2\n1 0 s1 b 1\n1 0 s2 b 2\n1 0 s2 c 1";
    check((prefs, JudgementFormat::Prefs), run, (names, false, &SUMMARY), expected);
}

#[test]
fn preferences_that_contradict_each_other_are_refused() {
    let check = |text: &str, expected: &str| {
        let columns = Columns::named(&["prefs"]).unwrap();
        let run = Run::parse("1 Q0 a 1 1 t").unwrap();
        let given = JudgementText { text, format: JudgementFormat::Prefs };
        let error = report(given, &run, &columns, &EvalOptions::default(), &SUMMARY).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(
        "1 0 s a 2\n1 0 s b 1\n1 0 t b 2\n1 0 t a 1",
        "query 1: preferences of one group contradict",
    );
    check("1 0 s a 2\n1 0 s a 1", "two levels");
    check("1 0 s a 2\n1 0 t a 0", "relevant in one subgroup");
    check("1 0 s a", "line 1: 4 fields");
}

#[test]
fn figures_become_distances_from_the_mean_of_other_runs() {
    let zscores = Some(ZScores::parse("1 map 0.5 0.25\n1 num_ret 1 0").unwrap());
    let show = SheetOptions { queries: true, summary: true, zscores };
    let names: &[&str] = &["num_q", "num_ret", "map"];
    let expected =
        "Znum_ret 1 0.0000\nZmap 1 2.0000\nZnum_q all 1.0000\nZnum_ret all 0.0000\nZmap all 2.0000";
    check(("1 0 a 1", JudgementFormat::Qrels), "1 Q0 a 1 1 t", (names, false, &show), expected);
}

#[test]
fn a_measure_goes_with_its_judgements_only() {
    let check = |name: &str, format: JudgementFormat| {
        let columns = Columns::named(&[name]).unwrap();
        let found = report(
            JudgementText { text: QRELS, format },
            &Run::parse(RUN).unwrap(),
            &columns,
            &EvalOptions::default(),
            &SUMMARY,
        );
        assert!(matches!(found, Err(TrecEvalTrouble::Format { .. })), "{name}: {found:?}");
    };
    check("map", JudgementFormat::QrelsPrefs);
    check("prefs_simp", JudgementFormat::Qrels);
    check("map_avgjg", JudgementFormat::Qrels);
    check("P.5", JudgementFormat::QrelsJg);
}
