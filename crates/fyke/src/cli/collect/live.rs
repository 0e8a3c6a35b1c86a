//! How a collecting run goes, while it goes and at its end.

use crate::cli::progress::Progress;
use crate::cli::{Global, output};
use fyke_lab::collect::{CollectEvent, CollectNow, ShownTerm};
use fyke_stages::show::count;
use std::io::IsTerminal;

/// Values of the learner that are shown.
const SHARES: usize = 6;

/// The table on the terminal; elsewhere a line every few seconds; with `--json` a line for each step.
#[derive(Debug)]
pub(super) struct LiveTable {
    progress: Progress,
    is_terminal: bool,
    is_json: bool,
    is_quiet: bool,
}

impl LiveTable {
    pub(super) fn start(global: &Global, wanted: Option<u64>) -> LiveTable {
        LiveTable {
            progress: Progress::start(global.quiet, "collect", wanted),
            is_terminal: std::io::stderr().is_terminal(),
            is_json: global.json,
            is_quiet: global.quiet,
        }
    }

    pub(super) fn step(&mut self, event: &CollectEvent, now: &CollectNow) {
        if self.is_json
            && let Ok(line) = serde_json::to_string(event)
        {
            output::say(&line);
        }
        match event {
            CollectEvent::Note { text, .. } => output::note(self.is_quiet, &output::tame(text)),
            CollectEvent::Start(_) => {}
            _ if self.is_terminal => {
                self.progress
                    .at(now.found + now.host_found, &format!("\n{}", table(now).trim_end()));
            }
            _ => self.progress.at(now.found + now.host_found, &line(now)),
        }
    }

    pub(super) fn finish(self) {
        self.progress.finish();
    }
}

/// All in a line.
fn line(now: &CollectNow) -> String {
    format!(
        "{} queries, {} documents, precision {:.2}, {} new by the last 100 queries; {} {}",
        now.queries,
        now.documents,
        now.precision(),
        now.late,
        now.way,
        output::tame(&now.query)
    )
}

fn row(name: &str, value: &str) -> String {
    format!("{name:<22} {}\n", output::tame(value))
}

fn terms(terms: &[ShownTerm]) -> String {
    let shown = terms.iter().map(|term| format!("{} ({:.1})", term.word, term.odds));
    shown.collect::<Vec<_>>().join("  ")
}

fn table(now: &CollectNow) -> String {
    let mut shares = now.shares.clone();
    shares.sort_by(|a, b| b.share.total_cmp(&a.share));
    let shares = shares.iter().take(SHARES);
    let shares = shares.map(|one| format!("{} {} {:.2}", one.parameter, one.value, one.share));
    let mut text = row("query", &now.query);
    text += &row("way", &now.way);
    text += &row("learner", &shares.collect::<Vec<_>>().join("  "));
    text += &row("words of the language", &terms(&now.include));
    text += &row("words of others", &terms(&now.exclude));
    let queries = format!(
        "{} sent, {} without a hit, {} known",
        count(now.queries),
        count(now.empty),
        count(now.known)
    );
    text += &row("queries", &queries);
    let documents = format!(
        "{} looked at: {} in the language, {} in others, {} copies, {} too short, {} not to be had",
        count(now.documents),
        count(now.found),
        count(now.wrong),
        count(now.copies),
        count(now.thin),
        count(now.dead)
    );
    let off = match now.off {
        0 => String::new(),
        off => format!(", {} off the subject", count(off)),
    };
    text += &row("documents", &format!("{documents}{off}"));
    if now.host_pages > 0 {
        let pages = format!(
            "{} pages crawled: {} more documents in the language",
            count(now.host_pages),
            count(now.host_found)
        );
        text += &row("hosts", &pages);
    }
    let all = format!(
        "{:.2} a query, {} by the last 100 queries; precision {:.2}",
        now.found as f64 / now.queries.max(1) as f64,
        now.late,
        now.precision()
    );
    text + &row("yield", &all)
}

/// What is said at the end.
pub(super) fn report(now: &CollectNow) -> String {
    let head = format!(
        "{} documents in {} ({} words); {}\n",
        count(now.found + now.host_found),
        now.lang,
        count(now.words),
        now.end
    );
    head + &table(now) + row("how much there is", &now.how_much).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_method_terms_and_yield() {
        let term = ShownTerm { word: "reka".to_owned(), odds: 4.25, documents: [9, 0] };
        let now = CollectNow {
            lang: "sl".to_owned(),
            queries: 10,
            found: 25,
            wrong: 5,
            documents: 30,
            way: "PAIR-2-3".to_owned(),
            include: vec![term],
            ..CollectNow::default()
        };
        let text = report(&now);
        for part in
            ["PAIR-2-3", "reka (4.2)", "2.50 a query", "precision 0.83", "25 documents in sl"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(line(&now).contains("10 queries, 30 documents"));
    }
}
