//! Pages of a department that are no papers: people, their lists of publications, courses, news, talks, reports.

use super::header::{department_name, plain_name};
use super::html::escaped;
use super::stock::{SentenceSlots, fill, stock};
use super::works::{PEOPLE, Person, Venue};
use super::{Departments, PaperFormat, TrueForm, lookalikes};
use crate::hazards::prose;
use crate::words::{PondDice, hash, mix};
use crate::{Hazards, Pond, Size};
use std::fmt::Write as _;
use std::sync::LazyLock;

pub(super) const COURSES: usize = 10;
const LECTURES: usize = 8;
const NEWS: usize = 30;
const TALKS: usize = 20;

static POND: LazyLock<Pond> = LazyLock::new(|| Pond::new(7, Size::default(), Hazards::none()));

/// A page while it is written.
struct DepartmentPages<'a> {
    departments: &'a Departments,
    department: usize,
    path: &'a str,
}

/// The page of a path.
pub(super) fn page(departments: &Departments, department: usize, path: &str) -> Option<String> {
    let site = DepartmentPages { departments, department, path };
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [] => Some(site.home()),
        ["people.html"] => Some(site.people()),
        ["research.html"] => Some(site.research()),
        ["links.html"] => Some(site.links()),
        ["admissions.html"] => Some(site.html("Admissions", &site.prose(9))),
        ["courses"] => Some(site.courses()),
        ["news"] => Some(site.news()),
        ["seminars"] => Some(site.talks()),
        ["tr"] => Some(site.reports()),
        ["tr", year] => site.reports_of(year.strip_suffix(".html")?.parse().ok()?),
        ["research", area] => site.area(area.strip_suffix(".html")?),
        ["news", item] => site.news_item(item.strip_suffix(".html")?.parse().ok()?),
        ["seminars", item] => site.talk(item.strip_suffix(".html")?.parse().ok()?),
        ["courses", course, rest @ ..] => site.course(course, rest),
        [home, rest @ ..] => site.person(home.strip_prefix('~')?, rest),
    }
}

pub(super) fn item(href: &str, anchor: &str) -> String {
    format!("<li><a href=\"{href}\">{}</a></li>\n", escaped(anchor))
}

pub(super) fn area_path(name: &str) -> String {
    name.to_lowercase().replace(' ', "-")
}

/// The number of a course, as its folder has it.
pub(super) fn course_folder(course: usize) -> String {
    format!("cs{}", 101 + course * 23)
}

impl DepartmentPages<'_> {
    fn html(&self, title: &str, main: &str) -> String {
        let name = department_name(self.department);
        let title = escaped(title);
        let links = [
            ("/", "Home"),
            ("/people.html", "People"),
            ("/research.html", "Research"),
            ("/courses/", "Courses"),
            ("/news/", "News"),
        ];
        let links: String =
            links.iter().map(|(to, text)| format!("<a href=\"{to}\">{text}</a> ")).collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title></head>\n\
             <body><div class=\"nav\">{links}</div>\n<h1>{title}</h1>\n{main}\n<hr><address>{name}</address>\
             </body></html>\n"
        )
    }

    fn dice(&self) -> PondDice {
        PondDice::new(mix(hash(self.departments.seed, self.path), self.department as u64))
    }

    /// A paragraph of nothing in particular.
    fn prose(&self, sentences: u64) -> String {
        let key = format!("{}/{}{}", self.departments.seed, self.department, self.path);
        format!("<p>{}</p>\n", prose::text(&POND, &key, sentences))
    }

    /// A paragraph about an area.
    fn science(&self, area: &str, sentences: usize, dice: &mut PondDice) -> String {
        let areas = &stock().areas;
        let area = areas.iter().find(|known| known.name == area).unwrap_or(&areas[0]);
        let slots = SentenceSlots { area, names: "", mark: "" };
        let all: Vec<String> =
            (0..sentences).map(|_| fill(dice.word(&stock().sentences), &slots, dice)).collect();
        format!("<p>{}</p>\n", all.join(" "))
    }

    fn staff(&self) -> impl Iterator<Item = Person> {
        (0..PEOPLE).map(|number| self.departments.person(self.department, number))
    }

    fn home(&self) -> String {
        let links = [
            ("/people.html", "Faculty and staff"),
            ("/research.html", "Research"),
            ("/courses/", "Courses"),
            ("/news/", "News and events"),
            ("/seminars/", "Seminars"),
            ("/tr/", "Technical reports"),
            ("/admissions.html", "Graduate admissions"),
            ("/theses.html", "Theses"),
            ("/workshop.html", "Workshop"),
            ("/links.html", "Other departments"),
        ];
        let links: String = links.iter().map(|(to, text)| item(to, text)).collect();
        self.html(department_name(self.department), &format!("{}<ul>{links}</ul>", self.prose(4)))
    }

    fn people(&self) -> String {
        let row = |person: Person| item(&home(&person), &person.name.full());
        let rows: String = self.staff().map(row).collect();
        self.html("People", &format!("<ul>{rows}</ul>"))
    }

    fn areas(&self) -> Vec<&'static str> {
        let mut areas: Vec<&str> = self.staff().map(|person| person.area.name).collect();
        areas.sort_unstable();
        areas.dedup();
        areas
    }

    fn research(&self) -> String {
        let rows: String = self
            .areas()
            .iter()
            .map(|area| item(&format!("/research/{}.html", area_path(area)), area))
            .collect();
        self.html("Research", &format!("{}<ul>{rows}</ul>", self.prose(3)))
    }

    fn area(&self, path: &str) -> Option<String> {
        let area = self.areas().into_iter().find(|area| area_path(area) == path)?;
        let people = self.staff().filter(|person| person.area.name == area);
        let rows: String = people.map(|person| item(&home(&person), &person.name.full())).collect();
        let text = self.science(area, 6, &mut self.dice());
        Some(self.html(&format!("{area} group"), &format!("{text}<h2>Members</h2><ul>{rows}</ul>")))
    }

    fn links(&self) -> String {
        let row = |at: usize| {
            item(&format!("http://{}/", self.departments.host(at)), department_name(at))
        };
        let rows: String = (0..self.departments.hosts).map(row).collect();
        self.html("Other departments", &format!("<ul>{rows}</ul>"))
    }

    fn news(&self) -> String {
        let row = |at: usize| item(&format!("/news/{at}.html"), &format!("News of week {at}"));
        let rows: String = (0..NEWS).map(row).collect();
        self.html("News and events", &format!("<ul>{rows}</ul>"))
    }

    fn news_item(&self, number: usize) -> Option<String> {
        (number < NEWS).then(|| self.html(&format!("News of week {number}"), &self.prose(7)))
    }

    fn talks(&self) -> String {
        let row = |at: usize| item(&format!("/seminars/{at}.html"), &format!("Talk {at}"));
        let rows: String = (0..TALKS).map(row).collect();
        self.html("Seminars", &format!("<ul>{rows}</ul>"))
    }

    /// A talk has a title, a speaker and an abstract, and is no paper.
    fn talk(&self, number: usize) -> Option<String> {
        (number < TALKS).then_some(())?;
        let mut dice = self.dice();
        let work = self.departments.work(dice.below(self.departments.works()));
        let text = self.science(work.area.name, 5, &mut dice);
        let speaker = work.authors[0].full();
        let main = format!(
            "<p>{speaker}</p><p>Room {}, 4 pm</p><h2>Abstract</h2>{text}<p>Refreshments are served.</p>",
            100 + number
        );
        Some(self.html(&work.title, &main))
    }

    fn courses(&self) -> String {
        let row =
            |at: usize| item(&format!("/courses/{}/", course_folder(at)), self.course_name(at));
        let rows: String = (0..COURSES).map(row).collect();
        self.html("Courses", &format!("<ul>{rows}</ul>"))
    }

    fn course_name(&self, course: usize) -> &'static str {
        let courses = &stock().courses;
        courses[(course + self.department * 3) % courses.len()]
    }

    fn course(&self, folder: &str, rest: &[&str]) -> Option<String> {
        let course = (0..COURSES).find(|at| course_folder(*at) == folder)?;
        let name = self.course_name(course);
        let base = format!("/courses/{folder}");
        match rest {
            [] => {
                let mut rows: String = (1..=LECTURES)
                    .map(|at| item(&format!("{base}/lecture{at}.html"), &format!("Lecture {at}")))
                    .collect();
                for found in lookalikes::of_course(course) {
                    rows += &item(&found.path, found.anchor);
                }
                Some(self.html(name, &format!("{}<ul>{rows}</ul>", self.prose(4))))
            }
            [page] => {
                let number: usize =
                    page.strip_prefix("lecture")?.strip_suffix(".html")?.parse().ok()?;
                let area = stock().areas[course % stock().areas.len()].name;
                let text = self.science(area, 9, &mut self.dice());
                let title = format!("{name}: Lecture {number}");
                (1..=LECTURES).contains(&number).then(|| self.html(&title, &text))
            }
            _ => None,
        }
    }

    /// The papers of a department that somebody wrote first.
    fn papers_of(&self, person: &Person) -> Vec<usize> {
        let own = (self.department..self.departments.papers).step_by(self.departments.hosts);
        own.filter(|number| self.departments.work(*number).people[0].number == person.number)
            .collect()
    }

    fn person(&self, name: &str, rest: &[&str]) -> Option<String> {
        let person = self.staff().find(|person| plain_name(&person.name.family) == name)?;
        let has_list = person.number % 2 == 0;
        match rest {
            [] => Some(self.home_of(&person, has_list)),
            ["publications.html"] if has_list => {
                let title = format!("Publications of {}", person.name.full());
                Some(self.html(&title, &self.publications(&person)))
            }
            ["hobby.html"] => {
                let hobby = self.dice().word(&stock().hobbies);
                Some(self.html(&format!("My page on {hobby}"), &self.prose(8)))
            }
            ["students.html"] => Some(self.html("For students", &self.prose(5))),
            _ => None,
        }
    }

    fn home_of(&self, person: &Person, has_list: bool) -> String {
        let mut dice = self.dice();
        let base = home(person);
        let mut main = self.science(person.area.name, 3, &mut dice);
        if has_list {
            main += &item(&format!("{base}publications.html"), "Publications");
        } else {
            main += &format!("<h2>Selected publications</h2>{}", self.publications(person));
        }
        for found in lookalikes::of_person(person) {
            main += &item(&found.path, found.anchor);
        }
        main += &item(&format!("{base}students.html"), "Information for my students");
        main += &item(&format!("{base}hobby.html"), "Other interests");
        main += &item(&format!("/research/{}.html", area_path(person.area.name)), person.area.name);
        main += "<h2>People I work with</h2>";
        for number in self.papers_of(person) {
            for other in self.departments.work(number).people.iter().skip(1) {
                let to =
                    format!("http://{}{}", self.departments.host(other.department), home(other));
                main += &item(&to, &other.name.full());
            }
        }
        self.html(&person.name.full(), &main)
    }

    fn publications(&self, person: &Person) -> String {
        let mut text = String::from("<ul>\n");
        for number in self.papers_of(person).into_iter().rev() {
            text += &self.entry(number, person.number % 3);
        }
        text + "</ul>\n"
    }

    /// A paper in a list, its files behind its title or behind the names of their formats.
    fn entry(&self, number: usize, style: usize) -> String {
        let work = self.departments.work(number);
        let names: Vec<String> = work.authors.iter().map(super::TrueAuthor::full).collect();
        let (title, venue) = (escaped(&work.title), escaped(&work.venue.name()));
        let forms = self.departments.forms(number);
        let rest = format!("{venue}, {}", work.year);
        let links = |forms: &[TrueForm]| {
            let link =
                |form: &TrueForm| format!("<a href=\"{}\">{}</a>", form.path, anchor(form, style));
            forms.iter().map(link).collect::<Vec<_>>().join(" ")
        };
        match style {
            0 => format!(
                "<li>{}. <a href=\"{}\">{title}</a>. {rest}. {}</li>\n",
                names.join(", "),
                forms[0].path,
                links(&forms[1..])
            ),
            _ => format!(
                "<li>{}. <i>{title}</i>. {rest}. {}</li>\n",
                names.join(", "),
                links(&forms)
            ),
        }
    }

    /// Papers of the department that are its reports.
    fn report_numbers(&self) -> Vec<usize> {
        let own = (self.department..self.departments.papers).step_by(self.departments.hosts);
        own.filter(|number| matches!(self.departments.work(*number).venue, Venue::Report(_)))
            .collect()
    }

    fn reports(&self) -> String {
        let mut years: Vec<usize> = self
            .report_numbers()
            .iter()
            .map(|number| self.departments.work(*number).year)
            .collect();
        years.dedup();
        let row = |year: &usize| item(&format!("/tr/{year}.html"), &format!("Reports of {year}"));
        let rows: String = years.iter().map(row).collect();
        self.html("Technical reports", &format!("{}<ul>{rows}</ul>", self.prose(2)))
    }

    fn reports_of(&self, year: usize) -> Option<String> {
        let numbers = self.report_numbers();
        let of_year: Vec<usize> = numbers
            .into_iter()
            .filter(|number| self.departments.work(*number).year == year)
            .collect();
        (!of_year.is_empty()).then_some(())?;
        let mut rows = String::new();
        for number in of_year {
            rows += &self.entry(number, 1);
            let text = escaped(&self.departments.paper(number).abstract_text);
            let _ = writeln!(rows, "<blockquote><b>Abstract:</b> {text}</blockquote>");
        }
        Some(self.html(&format!("Technical reports of {year}"), &format!("<ul>{rows}</ul>")))
    }
}

pub(super) fn home(person: &Person) -> String {
    format!("/~{}/", plain_name(&person.name.family))
}

fn anchor(form: &TrueForm, style: usize) -> &'static str {
    match (form.format, style) {
        (PaperFormat::Pdf, 1) => "[PDF]",
        (PaperFormat::Postscript, 1) => "[PS]",
        (PaperFormat::Html, 1) => "[HTML]",
        (PaperFormat::Pdf, _) => "pdf",
        (PaperFormat::Postscript, _) => "postscript",
        (PaperFormat::Html, _) => "online version",
    }
}
