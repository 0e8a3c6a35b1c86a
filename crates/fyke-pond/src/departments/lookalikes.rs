//! What looks like a paper and is none: slides, exercises, reading lists, lists of theses, files that tell of software,
//! a life with its publications, a call for papers.

use super::header::{department_name, plain_name};
use super::html::escaped;
use super::pages::{self, COURSES, course_folder, item};
use super::reference::{ReferenceStyle, references};
use super::sheet::{self, Face, SetLine, SetPage};
use super::stock::{SentenceSlots, fill, stock};
use super::works::{PEOPLE, Person, TrueWork};
use super::{Departments, print, typed};
use crate::Answer;
use crate::words::{PondDice, hash, mix};
use serde::Serialize;

/// Something that looks like a paper.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Lookalike {
    pub url: String,
    pub what: &'static str,
}

/// A link to one.
pub(super) struct LookalikeLink {
    pub(super) path: String,
    pub(super) anchor: &'static str,
    what: &'static str,
}

fn link(path: String, anchor: &'static str, what: &'static str) -> LookalikeLink {
    LookalikeLink { path, anchor, what }
}

/// Those of a course.
pub(super) fn of_course(course: usize) -> Vec<LookalikeLink> {
    let base = format!("/courses/{}", course_folder(course));
    let mut found = vec![
        link(format!("{base}/reading.html"), "Reading list", "reading list"),
        link(format!("{base}/homework1.pdf"), "Homework 1", "exercises"),
        link(format!("{base}/homework2.pdf"), "Homework 2", "exercises"),
    ];
    if course.is_multiple_of(2) {
        found.push(link(format!("{base}/slides1.pdf"), "Slides of week 1", "slides"));
        found.push(link(format!("{base}/slides2.ps"), "Slides of week 2", "slides"));
    }
    found
}

/// Those of a person.
pub(super) fn of_person(person: &Person) -> Vec<LookalikeLink> {
    let base = pages::home(person);
    let mut found = vec![link(format!("{base}cv.pdf"), "Curriculum vitae", "a life")];
    if person.number.is_multiple_of(3) {
        found.push(link(format!("{base}software/README"), "Software", "about software"));
    }
    if person.number % 3 == 1 {
        found.push(link(format!("{base}bib.html"), "My bibliography", "list of references"));
    }
    found
}

fn of_department() -> [LookalikeLink; 2] {
    [
        link("/theses.html".into(), "Theses", "list of theses"),
        link("/workshop.html".into(), "Workshop", "call for papers"),
    ]
}

fn links(departments: &Departments, department: usize) -> Vec<LookalikeLink> {
    let mut found: Vec<LookalikeLink> = (0..COURSES).flat_map(of_course).collect();
    found.extend((0..PEOPLE).flat_map(|at| of_person(&departments.person(department, at))));
    found.extend(of_department());
    found
}

pub(super) fn all(departments: &Departments, department: usize) -> Vec<Lookalike> {
    let host = departments.host(department);
    let of = |link: LookalikeLink| Lookalike {
        url: format!("http://{host}{}", link.path),
        what: link.what,
    };
    links(departments, department).into_iter().map(of).collect()
}

/// What stands under a path, if it is one of them.
pub(super) fn at(departments: &Departments, department: usize, path: &str) -> Option<Answer> {
    let found = links(departments, department).into_iter().find(|link| link.path == path)?;
    let key = mix(hash(departments.seed, path), department as u64);
    let mut making = LookalikeMaking { departments, department, dice: PondDice::new(key) };
    let html = |text: String| typed("text/html; charset=utf-8", text.into_bytes());
    let print = |pages: &[SetPage]| match path.ends_with(".ps") {
        true => typed("application/postscript", print::dvips(pages, "slides")),
        false => typed("application/pdf", print::pdf(pages, "")),
    };
    Some(match found.what {
        "slides" => print(&making.slides()),
        "exercises" => print(&making.exercises()),
        "a life" => print(&making.life(path)),
        "about software" => typed("text/plain; charset=utf-8", making.software().into_bytes()),
        "list of theses" => html(making.theses()),
        "call for papers" => html(making.call()),
        "list of references" => html(making.list("Bibliography", 40)),
        _ => html(making.list("Reading list", 14)),
    })
}

struct LookalikeMaking<'a> {
    departments: &'a Departments,
    department: usize,
    dice: PondDice,
}

impl LookalikeMaking<'_> {
    fn say(&mut self, template: &[&'static str]) -> String {
        let area = &stock().areas[self.dice.below(stock().areas.len())];
        fill(self.dice.word(template), &SentenceSlots { area, names: "", mark: "" }, &mut self.dice)
    }

    /// Texts of so many references.
    fn references(&mut self, count: usize) -> Vec<String> {
        let works: Vec<TrueWork> = (0..count)
            .map(|_| self.departments.work(self.dice.below(self.departments.works())))
            .collect();
        let style = ReferenceStyle::roll(&mut self.dice);
        references(&works, style, &mut self.dice)
            .into_iter()
            .map(|reference| reference.text)
            .collect()
    }

    fn html(&self, title: &str, main: &str) -> String {
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
             <body><h1>{title}</h1>\n{main}\n<hr><address>{}</address>{}</body></html>\n",
            department_name(self.department),
            item("/", "Home")
        )
    }

    fn list(&mut self, title: &str, count: usize) -> String {
        let rows: String = self
            .references(count)
            .iter()
            .map(|text| format!("<li>{}</li>\n", escaped(text)))
            .collect();
        let text = self.say(&stock().sentences);
        self.html(title, &format!("<p>{text}</p><h2>References</h2><ol>{rows}</ol>"))
    }

    fn theses(&mut self) -> String {
        let mut rows = String::new();
        for _ in 0..30 {
            let title = self.say(&stock().titles);
            let (given, family) = (self.dice.word(&stock().given), self.dice.word(&stock().family));
            let year = 1980 + self.dice.below(18);
            rows +=
                &format!("<li>{given} {family}. {}. Ph.D. thesis, {year}.</li>\n", escaped(&title));
        }
        self.html("Theses", &format!("<p>Abstracts can be had from the office.</p><ul>{rows}</ul>"))
    }

    fn call(&mut self) -> String {
        let area = self.dice.pick(&stock().areas);
        let topics: String =
            area.objects.iter().map(|topic| format!("<li>{topic}</li>\n")).collect();
        let main = format!(
            "<p>Workshop on {}</p><h2>Topics</h2><ul>{topics}</ul><h2>Submission</h2><p>Authors are invited to submit \
             papers of ten pages with an abstract and references in PostScript. Proceedings will be published.</p>\
             <h2>Important dates</h2><p>Abstract: March 1, 1997. Full paper: March 15, 1997.</p>",
            area.name
        );
        self.html("Call for Papers", &main)
    }

    fn software(&mut self) -> String {
        let mut text = String::from(
            "README\n\nThis is release 1.2 of the system.\n\nINSTALLATION\n\n  make install\n\n",
        );
        for _ in 0..4 {
            text += &format!("{}\n", self.say(&stock().sentences));
        }
        text += "\nREFERENCES\n\n";
        for reference in self.references(3) {
            text += &format!("  {reference}\n");
        }
        text
    }

    fn slides(&mut self) -> Vec<SetPage> {
        let title = self.say(&stock().titles);
        let mut pages = vec![page(&[(title, 24.0), ("Lecture notes".into(), 18.0)])];
        for _ in 0..12 {
            let mut lines = vec![(self.say(&stock().titles), 20.0)];
            for _ in 0..5 {
                let text = self.say(&stock().sentences);
                let words: Vec<&str> = text.split(' ').take(7).collect();
                lines.push((format!("- {}", words.join(" ")), 16.0));
            }
            pages.push(page(&lines));
        }
        let mut last = vec![("References".to_owned(), 20.0)];
        last.extend(
            self.references(3).into_iter().map(|text| (text.chars().take(60).collect(), 12.0)),
        );
        pages.push(page(&last));
        pages
    }

    fn exercises(&mut self) -> Vec<SetPage> {
        let mut lines =
            vec![("Homework".to_owned(), 16.0), ("Due Friday in class".to_owned(), 10.0)];
        for number in 1..=8 {
            lines.push((format!("{number}. {}", self.say(&stock().sentences)), 10.0));
            lines.push((format!("   ({} points)", 5 * number), 10.0));
        }
        vec![page(&lines)]
    }

    fn life(&mut self, path: &str) -> Vec<SetPage> {
        let all = (0..PEOPLE).map(|at| self.departments.person(self.department, at));
        let mut all = all.filter(|person| path.contains(&plain_name(&person.name.family)));
        let name = all.next().map_or_else(String::new, |person| person.name.full());
        let mut lines = vec![
            ("Curriculum Vitae".to_owned(), 16.0),
            (name, 14.0),
            (department_name(self.department).to_owned(), 10.0),
            ("Education".to_owned(), 12.0),
            ("Ph.D. in Computer Science, 1985".to_owned(), 10.0),
            ("Employment".to_owned(), 12.0),
            ("Professor, since 1991".to_owned(), 10.0),
            ("Publications".to_owned(), 12.0),
        ];
        for (at, text) in self.references(16).into_iter().enumerate() {
            let text = format!("{}. {text}", at + 1);
            let (first, rest) = text.split_at(text.floor_char_boundary(84));
            lines.push((first.to_owned(), 10.0));
            if !rest.is_empty() {
                lines.push((rest.to_owned(), 10.0));
            }
        }
        lines.push(("Teaching".to_owned(), 12.0));
        lines.push((stock().courses[..4].join(", "), 10.0));
        vec![page(&lines)]
    }
}

/// A page of lines, each of a size.
fn page(lines: &[(String, f32)]) -> SetPage {
    let mut y = 730.0;
    let mut set = Vec::new();
    for (text, size) in lines {
        y -= size * 1.5;
        let face = if *size > 11.0 { Face::Bold } else { Face::Roman };
        let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        set.push(SetLine {
            x: 60.0,
            y,
            size: *size,
            face,
            words,
            space: sheet::width(" ", face, *size),
        });
    }
    set
}
