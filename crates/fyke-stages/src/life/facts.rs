//! The life of a URL in words, the same in the terminal and on the page.

use super::{CaptureLife, DocumentLife, HostLife, Life, PaperLife, RobotsLife, SpamLife};
use crate::show::{count, moment, span, wait};
use crate::topics::PlacedTopic;
use fyke_papers::verdict::PaperVerdict;
use fyke_store::{Listed, RowKind};

/// Versions that are named.
const VERSIONS: usize = 10;

impl Life {
    /// The life in lines: what, and what is known of it.
    #[must_use]
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = vec![("url", self.url.clone())];
        let mut fact = |name: &'static str, text: String| facts.push((name, text));
        if self.normal != self.url {
            fact("normal form", self.normal.clone());
        }
        fact("reason", format!("{}: {}", self.reason, self.meaning));
        if !self.detail.is_empty() {
            fact("detail", self.detail.clone());
        }
        if self.kind != RowKind::Page.name() {
            fact("kind", self.kind.to_owned());
        }
        fact("found", moment(self.found));
        match self.found_through.first() {
            None if self.kind == RowKind::Missing.name() => {
                fact("found on", "nowhere: it was made up".to_string());
            }
            None => fact("found on", "nowhere: it is a seed or a sitemap".to_string()),
            Some(page) => fact("found on", page.clone()),
        }
        for page in self.found_through.iter().skip(1) {
            fact("", format!("← {page}"));
        }
        if let Some(Listed { modified, change, priority }) = &self.listed {
            let priority = priority.map(|p| format!("priority {}", f32::from(p) / 100.0));
            let change = change.as_ref().map(|word| format!("changes {word}"));
            let modified = modified.as_ref().map(|time| format!("last changed {time}"));
            let said: Vec<String> = [modified, change, priority].into_iter().flatten().collect();
            fact("sitemap says", said.join(", "));
        }
        fact("depth", format!("{} from a seed, front queue {}", self.depth, self.priority));
        fact("robots.txt", self.robots.tell());
        fact("host", self.host.tell());
        fact("fetched", self.fetch());
        if let Some(push) = &self.push {
            fact("hub", push.tell());
        }
        if self.from_feed {
            fact("text", "that of a feed, until the page itself is fetched".to_owned());
        }
        if self.visited > 1 {
            let (visited, changed) = (count(self.visited.into()), count(self.changed.into()));
            fact("visits", format!("{visited}, of which {changed} brought another text"));
        }
        if self.missed > 0 || self.failed > 0 {
            fact("last visits", self.last_visits());
        }
        if self.versions.len() > 1 {
            for (n, version) in self.versions.iter().take(VERSIONS).enumerate() {
                let (fetched, seen) = (moment(version.fetched), moment(version.seen));
                let text = format!("{fetched}, status {}, last seen {seen}", version.status);
                fact(if n == 0 { "versions" } else { "" }, text);
            }
        }
        if let Some(target) = &self.redirect {
            fact("leads to", target.clone());
        }
        if let Some(CaptureLife { file, offset, length }) = &self.capture {
            fact("capture", format!("captures/{file} at {offset}, {length} bytes"));
        }
        if let Some(rendering) = &self.rendering {
            fact("scripts", rendering.clone());
        }
        facts.extend(self.document.iter().flat_map(DocumentLife::facts));
        facts.push(("searchable", if self.indexed { "yes" } else { "no" }.to_string()));
        facts
    }

    /// The visits since content last came.
    fn last_visits(&self) -> String {
        let missed = format!("{} found it gone", self.missed);
        let failed = format!("{} failed since content last came", self.failed);
        let again = self.due.map(|due| format!("again {}", moment(due)));
        let said: Vec<String> = [Some(missed), Some(failed), again].into_iter().flatten().collect();
        said.join(", ")
    }

    fn fetch(&self) -> String {
        match (self.fetched, self.status) {
            (None, _) => "never".to_string(),
            (Some(time), 0) => format!("{}, no answer, try {}", moment(time), self.tries),
            (Some(time), status) => {
                format!("{}, status {status}, try {}", moment(time), self.tries)
            }
        }
    }
}

impl DocumentLife {
    fn facts(&self) -> Vec<(&'static str, String)> {
        let DocumentLife { language, charset, words, anchors, .. } = self;
        let text = format!("{words} words, {language}, {charset}, {anchors} links to it");
        let mut facts = vec![("title", self.title.clone()), ("document", text)];
        if let Some(rank) = self.rank {
            facts.push(("rank", format!("{rank:.2} by links; the mean is 1")));
        }
        let topic = |topic: &PlacedTopic| format!("{} {:.0} %", topic.name, 100.0 * topic.share);
        if !self.topics.is_empty() {
            facts.push(("topics", self.topics.iter().map(topic).collect::<Vec<_>>().join(", ")));
        }
        if let Some(paper) = &self.paper {
            facts.push(("paper", paper.tell()));
        }
        if let Some(spam) = &self.spam {
            facts.push(("spam", spam.tell()));
        }
        if let Some(url) = &self.same_as_missing {
            facts.push(("error page", format!("it says what its host says of the made-up {url}")));
        }
        if let Some(of) = &self.twin_of {
            let kind = if self.twin_exact == Some(true) { "exact" } else { "near" };
            facts.push(("copy of", format!("{of} ({kind})")));
        }
        facts
    }
}

impl SpamLife {
    fn tell(&self) -> String {
        let evidence = match self.evidence.as_slice() {
            [] => String::new(),
            evidence => format!(": it {}", evidence.join("; it ")),
        };
        match (self.is_told, self.probability >= 0.5) {
            (true, true) => format!("yes, as spam.toml says{evidence}"),
            (true, false) => "no, as spam.toml says".to_owned(),
            (false, _) => format!("{:.0} of 100{evidence}", self.probability * 100.0),
        }
    }
}

impl PaperLife {
    fn tell(&self) -> String {
        let PaperVerdict { is_paper, score, evidence, note } = &self.verdict;
        let found = evidence.join(", ");
        if !is_paper {
            return format!("no: {note} (it has {found})");
        }
        let cited = self.cited_by.map(|times| format!("; cited by {times}"));
        format!("yes: {found} ({:.0} of 100){}", score * 100.0, cited.unwrap_or_default())
    }
}

impl HostLife {
    fn tell(&self) -> String {
        let waits = match self.until {
            _ if self.banned => "banned for this run".to_owned(),
            Some(_) => format!("waits: {}", wait(&self.waits, self.until, self.now)),
            None if self.robots_failed => "asked again in the next run".to_owned(),
            None => "may be asked".to_owned(),
        };
        let robots = match self.robots_fetched {
            Some(time) => format!("robots.txt asked for {} ago", span(self.now - time)),
            None if self.robots_failed => "robots.txt could not be fetched".to_owned(),
            None => "robots.txt not asked for".to_owned(),
        };
        let (pages, most) = (count(self.pages), count(self.pages_most));
        format!("{waits}; {robots}; failures in a row: {}; {pages} of {most} pages", self.failures)
    }
}

impl RobotsLife {
    fn tell(&self) -> String {
        let status = match (self.status, &self.unreachable) {
            (Some(status), _) => status,
            (None, Some(why)) => return format!("could not be fetched: {why}"),
            (None, None) => return "not asked for".to_string(),
        };
        let verdict = if self.allowed == Some(true) { "allowed" } else { "disallowed" };
        match (&self.rule, self.line) {
            (Some(rule), Some(line)) => format!("{verdict} by line {line}: {rule}"),
            _ if status == 200 => format!("{verdict}: no rule matches"),
            _ => format!("{verdict}: it answered with status {status}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HostLife, RobotsLife};

    fn check(host: &HostLife, told: &str) {
        assert_eq!(host.tell(), told);
    }

    #[test]
    fn a_host_is_told_with_its_wait_its_robots_and_its_budget() {
        let mut host = HostLife { pages_most: 5_000, now: 7_200_000, ..HostLife::default() };
        check(
            &host,
            "may be asked; robots.txt not asked for; failures in a row: 0; 0 of 5,000 pages",
        );
        (host.pages, host.failures, host.robots_fetched) = (12, 3, Some(0));
        (host.until, host.waits) = (Some(7_230_000), "back-off: status 503".to_owned());
        check(
            &host,
            "waits: back-off: status 503 until 1970-01-01 02:00:30 UTC (in 30 s); robots.txt asked \
             for 2 h ago; failures in a row: 3; 12 of 5,000 pages",
        );
        host.banned = true;
        assert!(host.tell().starts_with("banned for this run; robots.txt asked for"), "{host:?}");
    }

    #[test]
    fn a_robots_file_that_could_not_be_had_was_asked_for() {
        let unreachable = Some("status 503".to_owned());
        let robots = RobotsLife { unreachable, ..RobotsLife::default() };
        assert_eq!(robots.tell(), "could not be fetched: status 503");
        let host = HostLife { robots_failed: true, failures: 3, ..HostLife::default() };
        check(
            &host,
            "asked again in the next run; robots.txt could not be fetched; failures in a row: 3; 0 of 0 \
             pages",
        );
        assert_eq!(RobotsLife::default().tell(), "not asked for");
    }
}
