//! `fyke search --queries FILE --run FILE`: every topic of a test collection asked, the answers as a run
//! in TREC's format, so that any collection can be measured in two commands.

use super::Args;
use crate::cli::lab::topics;
use crate::cli::progress::Progress;
use crate::cli::{Exit, Failure, Global, output, parallel};
use fyke_index::{Index, IndexError, Weights};
use fyke_lab::judging::topic::plain;
use fyke_lab::judging::{LabTopic, Topics, runs};
use std::fmt::Write as _;
use std::path::Path;

/// Name of the run in its lines.
const TAG: &str = "fyke";

pub(super) fn run(
    global: &Global,
    args: &Args,
    (index, weights): (Option<Index>, Weights),
    (topics, target): (&Path, &Path),
) -> anyhow::Result<Exit> {
    let topics = Topics::default().numbered(topics::from_file(topics)?);
    let Some(index) = index else {
        let what = "nothing is indexed here; bring documents in with: fyke import FILE";
        return Err(Failure::usage(what).into());
    };
    let asked = ask(global, args, (&index, weights), &topics)?;
    match target == Path::new("-") {
        true => output::say(asked.run.trim_end()),
        false => {
            runs::write(target, &asked.run)?;
            tell(global, target, topics.len(), &asked)?;
        }
    }
    Ok(Exit::Done)
}

/// The answers to all topics.
#[derive(Default)]
struct TopicRun {
    /// In TREC's format.
    run: String,
    documents: usize,
    /// Topics without an answer.
    silent: usize,
}

impl TopicRun {
    fn add(&mut self, topic: &LabTopic, found: &[(String, f32)]) {
        self.silent += usize::from(found.is_empty());
        self.documents += found.len();
        // Readers order equal scores by name: each is a little less than the one before.
        let mut before = f32::INFINITY;
        for (rank, (document, score)) in (1..).zip(found) {
            before = if *score < before { *score } else { before.next_down() };
            let _ = writeln!(self.run, "{} Q0 {document} {rank} {before} {TAG}", topic.id);
        }
    }
}

/// Asks the topics on all cores.
fn ask(
    global: &Global,
    args: &Args,
    (index, weights): (&Index, Weights),
    topics: &[LabTopic],
) -> anyhow::Result<TopicRun> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut progress = Progress::start(global.quiet, "asked", Some(topics.len() as u64));
    let (mut asked, mut done) = (TopicRun::default(), 0);
    let site = args.site.as_ref().map(|site| format!(" site:{site}")).unwrap_or_default();
    let work = |topic: &LabTopic| {
        let words = match args.syntax {
            true => topic.query.clone(),
            false => plain(&topic.query),
        };
        let query = index.query(&(words + &site));
        index.ranking(&query, args.depth as usize, &weights)
    };
    let take = |found: Result<Vec<(String, f32)>, IndexError>| -> anyhow::Result<()> {
        asked.add(&topics[done], &found?);
        done += 1;
        progress.at(done as u64, "");
        Ok(())
    };
    parallel::in_order(topics.iter(), threads, work, take)?;
    progress.finish();
    Ok(asked)
}

fn tell(global: &Global, path: &Path, topics: usize, asked: &TopicRun) -> anyhow::Result<()> {
    let TopicRun { documents, silent, .. } = asked;
    if global.json {
        return output::say_json(&serde_json::json!({
            "run": path, "topics": topics, "documents": documents, "without_answer": silent,
        }));
    }
    let silent = match silent {
        0 => String::new(),
        silent => format!(", {silent} without an answer"),
    };
    output::say(&format!("{}: {documents} documents for {topics} topics{silent}", path.display()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_order_where_scores_are_equal() {
        let topic = LabTopic { id: "7".to_owned(), ..LabTopic::default() };
        let mut asked = TopicRun::default();
        let found = [("b", 2.0), ("a", 2.0), ("c", 1.0)].map(|(name, s)| (name.to_owned(), s));
        asked.add(&topic, &found);
        let run = fyke_eval::Run::parse(&asked.run).unwrap();
        let order: Vec<&str> = run.answers("7").map(|(name, _)| name).collect();
        assert_eq!(order, ["b", "a", "c"]);
    }
}
