//! The gate's verdicts as JUnit XML, which CI systems show as tests: one test case for each rule.

use askama::Template;
use fyke_eval::gate::GateVerdict;
use fyke_web::escape::allowed;

/// Verdicts on a run.
#[derive(Debug, Template)]
#[template(path = "lab/junit.xml")]
pub struct Junit<'a> {
    run: String,
    verdicts: &'a [GateVerdict],
    broken: usize,
}

impl<'a> Junit<'a> {
    /// The verdicts on the run of this name.
    #[must_use]
    pub fn new(run: &str, verdicts: &'a [GateVerdict]) -> Junit<'a> {
        let broken = verdicts.iter().filter(|verdict| !verdict.is_held).count();
        Junit { run: clean(run), verdicts, broken }
    }

    fn text(verdict: &GateVerdict) -> String {
        let hurt = verdict.hurt.iter().map(|hurt| format!("\n{hurt}")).collect::<String>();
        clean(&format!("{}: {}{hurt}", verdict.rule, verdict.why))
    }
}

/// Without the characters that XML cannot hold, escaped or not.
fn clean(text: &str) -> String {
    text.chars().map(allowed).collect()
}
