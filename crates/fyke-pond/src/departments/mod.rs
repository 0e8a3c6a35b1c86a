//! Departments of computer science with their papers (002 §1–§4): a stock of its own, beside the hosts of the ordinary
//! [`crate::Pond`]. People, courses, news and reports are pages; the papers are HTML, PDF and PostScript in one column
//! and two, with known headers, references and citations, and beside them stand things that look like papers and are none.

mod header;
mod html;
mod lookalikes;
mod pages;
mod paper;
mod print;
mod reference;
mod sheet;
mod stock;
mod works;

use crate::words::{PondDice, hash, mix};
use crate::{Answer, AnswerKind, Ask, Body};
use serde::Serialize;

pub use lookalikes::Lookalike;
pub use paper::{HeaderLine, TrueCitation, TruePaper, TrueSection};
pub use reference::{MarkStyle, TrueField, TrueReference};
pub use works::TrueAuthor;

/// Departments, where nothing else is said.
const HOSTS: usize = 8;

/// The recipe of all departments.
#[derive(Clone, Debug)]
pub struct Departments {
    pub seed: u64,
    pub hosts: usize,
    pub papers: usize,
}

/// A file of a paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrueForm {
    pub url: String,
    #[serde(skip)]
    path: String,
    pub format: PaperFormat,
    /// 1 or 2; 1 in HTML.
    pub columns: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PaperFormat {
    Html,
    Pdf,
    Postscript,
}

impl PaperFormat {
    fn content_type(self) -> &'static str {
        match self {
            PaperFormat::Html => "text/html; charset=utf-8",
            PaperFormat::Pdf => "application/pdf",
            PaperFormat::Postscript => "application/postscript",
        }
    }
}

impl Departments {
    /// Papers of all departments, where nothing else is said.
    pub const PAPERS: usize = 240;

    pub fn new(seed: u64) -> Departments {
        Departments { seed, hosts: HOSTS, papers: Self::PAPERS }
    }

    /// Everything is reachable from these.
    pub fn seeds(&self) -> Vec<String> {
        (0..self.hosts.min(2)).map(|at| format!("http://{}/", self.host(at))).collect()
    }

    /// The name of a department's host.
    pub fn host(&self, department: usize) -> String {
        let universities = &stock::stock().universities;
        format!("cs.{}.test", universities[department % universities.len()].host)
    }

    /// The names of all hosts.
    pub fn hosts(&self) -> impl Iterator<Item = String> {
        let departments = self.clone();
        (0..self.hosts).map(move |at| departments.host(at))
    }

    /// All papers with all that is known of them.
    pub fn papers(&self) -> impl Iterator<Item = TruePaper> {
        let departments = self.clone();
        (0..self.papers).map(move |number| departments.paper(number))
    }

    /// The files of a paper: one, or two in different formats.
    pub fn forms(&self, number: usize) -> Vec<TrueForm> {
        let mut dice = PondDice::new(mix(hash(self.seed, "forms"), number as u64));
        let work = self.work(number);
        let columns = 1 + usize::from(dice.percent(45));
        let first = match dice.below(10) {
            0..=3 => PaperFormat::Pdf,
            4..=7 => PaperFormat::Postscript,
            _ => PaperFormat::Html,
        };
        let second = match first {
            PaperFormat::Postscript => PaperFormat::Pdf,
            PaperFormat::Pdf | PaperFormat::Html => PaperFormat::Postscript,
        };
        let name = self.file_name(&work, &mut dice);
        let form = |format: PaperFormat| {
            let path = match format {
                PaperFormat::Html => format!("{name}/"),
                PaperFormat::Pdf => format!("{name}.pdf"),
                PaperFormat::Postscript => format!("{name}.ps"),
            };
            let url = format!("http://{}{path}", self.host(self.department_of(number)));
            let columns = if format == PaperFormat::Html { 1 } else { columns };
            TrueForm { url, path, format, columns }
        };
        let mut forms = vec![form(first)];
        forms.extend(dice.percent(25).then(|| form(second)));
        forms
    }

    /// The path of a paper, without what tells its format.
    fn file_name(&self, work: &works::TrueWork, dice: &mut PondDice) -> String {
        let number = work.number;
        if let works::Venue::Report(_) = work.venue {
            return format!("/tr/{}/CS-TR-{:02}-{number:03}", work.year, work.year % 100);
        }
        let home = header::plain_name(&work.people[0].name.family);
        let words = work.title.split(' ').map(header::plain_name).filter(|word| word.len() > 3);
        let words: Vec<String> = words.take(2).collect();
        let folder = ["papers", "pub", "papers", "research"][dice.below(4)];
        match dice.below(3) {
            0 => format!("/~{home}/{folder}/{}-{number}", words.join("-")),
            1 => format!("/~{home}/{folder}/{}{:02}-{number}", words[0], work.year % 100),
            _ => format!("/~{home}/{}_{number}", words.join("_")),
        }
    }

    /// A paper and its form by host and path.
    fn form_at(&self, department: usize, path: &str) -> Option<(usize, TrueForm)> {
        let mut own = (department..self.papers).step_by(self.hosts);
        own.find_map(|number| {
            let form = self.forms(number).into_iter().find(|form| form.path == path)?;
            Some((number, form))
        })
    }

    /// The bytes of a file of a paper.
    pub fn file(&self, number: usize, form: &TrueForm) -> Vec<u8> {
        let paper = self.paper(number);
        let mut dice = PondDice::new(mix(hash(self.seed, &form.path), 1));
        let is_dvips = dice.percent(50);
        let title = if dice.percent(50) { paper.title.as_str() } else { "" };
        match form.format {
            PaperFormat::Html => html::html(&paper, &mut dice).into_bytes(),
            PaperFormat::Pdf => print::pdf(&sheet::set(&paper, form.columns, &mut dice), title),
            PaperFormat::Postscript => {
                let pages = sheet::set(&paper, form.columns, &mut dice);
                if is_dvips {
                    print::dvips(&pages, "paper.dvi")
                } else {
                    print::postscript(&pages, title)
                }
            }
        }
    }

    /// What stands under a URL.
    pub fn answer(&self, ask: &Ask) -> Answer {
        let Some(department) = (0..self.hosts).find(|at| self.host(*at) == ask.host) else {
            return Answer::missing();
        };
        if let Some((number, form)) = self.form_at(department, ask.path) {
            return typed(form.format.content_type(), self.file(number, &form));
        }
        if let Some(found) = lookalikes::at(self, department, ask.path) {
            return found;
        }
        let page = pages::page(self, department, ask.path);
        page.map_or_else(Answer::missing, |html| {
            typed("text/html; charset=utf-8", html.into_bytes())
        })
    }

    /// All pages that look like papers and are none.
    pub fn lookalikes(&self) -> Vec<Lookalike> {
        (0..self.hosts).flat_map(|department| lookalikes::all(self, department)).collect()
    }
}

fn typed(content_type: &str, bytes: Vec<u8>) -> Answer {
    Answer {
        status: 200,
        headers: vec![("content-type", content_type.to_owned())],
        body: Body::Bytes(bytes),
        kind: AnswerKind::Page,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{BTreeSet, VecDeque};

    fn body(answer: Answer) -> Option<String> {
        let Body::Bytes(bytes) = answer.body else { return None };
        (answer.status == 200).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn every_paper_and_all_that_looks_like_one_can_be_reached() {
        let pond = Departments::new(3);
        let mut known: BTreeSet<String> = pond.seeds().into_iter().collect();
        let mut queue: VecDeque<String> = pond.seeds().into();
        let mut missing = Vec::new();
        while let Some(url) = queue.pop_front() {
            let (host, path) =
                url["http://".len()..].split_at(url["http://".len()..].find('/').unwrap());
            let Some(html) = body(pond.answer(&Ask::get(host, path))) else {
                missing.push(url);
                continue;
            };
            if !html.starts_with("<!DOCTYPE") {
                continue;
            }
            for href in html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let target = if href.starts_with('/') {
                    format!("http://{host}{href}")
                } else {
                    href.to_owned()
                };
                if known.insert(target.clone()) {
                    queue.push_back(target);
                }
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
        assert!((1_000..6_000).contains(&known.len()), "{}", known.len());
        for number in 0..pond.papers {
            for form in pond.forms(number) {
                assert!(known.contains(&form.url), "{}", form.url);
            }
        }
        for found in pond.lookalikes() {
            assert!(known.contains(&found.url), "{}", found.url);
        }
    }

    #[test]
    fn a_paper_says_what_is_known_of_it() {
        let pond = Departments::new(5);
        let mut titles = BTreeSet::new();
        for paper in pond.papers() {
            assert!(!paper.authors.is_empty() && !paper.header.is_empty());
            assert!(paper.references.len() >= 3, "{}", paper.references.len());
            assert!(paper.references.iter().all(|reference| reference.work != paper.number));
            assert!(paper.citations.iter().all(|at| at.reference < paper.references.len()));
            let text: String = paper.sections.iter().map(|section| section.text.clone()).collect();
            assert!(paper.citations.iter().all(|cited| text.contains(&cited.sentence)));
            titles.insert(paper.title);
        }
        assert!(titles.len() > pond.papers * 9 / 10, "{}", titles.len());
    }

    #[test]
    fn the_same_seed_gives_the_same_papers_and_another_gives_others() {
        let file = |seed: u64| {
            let pond = Departments::new(seed);
            pond.file(7, &pond.forms(7)[0])
        };
        assert_eq!(file(1), file(1));
        assert_ne!(file(1), file(2));
    }
}
