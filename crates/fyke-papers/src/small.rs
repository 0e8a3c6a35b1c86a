//! A small literature for tests, as pages of HTML: papers that cite each other and papers that are not there, in
//! several styles and with slips; and pages that are no papers but have references too. Who cites whom is known.

use std::fmt::Write as _;

/// A paper of the small literature.
#[derive(Clone, Copy, Debug)]
pub struct SmallPaper {
    pub url: &'static str,
    pub title: &'static str,
    pub authors: &'static [&'static str],
    pub year: u16,
    pub venue: &'static str,
    /// Places of the papers that it cites, here and then in [`ELSEWHERE`].
    pub cites: &'static [usize],
}

/// The papers that are there.
pub const PAPERS: &[SmallPaper] = &[
    SmallPaper {
        url: "http://fish.test/papers/nets.html",
        title: "Fishing by Night in Tidal Rivers",
        authors: &["Ann Fisher", "Bob Hooker"],
        year: 1994,
        venue: "Journal of Tidal Research",
        cites: &[7, 8],
    },
    SmallPaper {
        url: "http://fish.test/papers/wings.html",
        title: "Wings and Funnels: A Theory of Traps for Migrating Eels",
        authors: &["Carol Netter"],
        year: 1996,
        venue: "Proceedings of the Conference on Estuaries",
        cites: &[0, 7, 8],
    },
    SmallPaper {
        url: "http://fish.test/papers/moon.html",
        title: "Moonlight and the Catch of Silver Eels",
        authors: &["David Angler", "Ann Fisher"],
        year: 1997,
        venue: "Journal of Tidal Research",
        cites: &[0, 1, 7],
    },
    SmallPaper {
        url: "http://river.test/~hooker/weirs.html",
        title: "Measuring the Flow of Water through Wooden Weirs",
        authors: &["Bob Hooker", "Ellen Weaver"],
        year: 1998,
        venue: "Annals of River Engineering",
        cites: &[0, 1, 8],
    },
    SmallPaper {
        url: "http://river.test/~hooker/learning.html",
        title: "Learning Where to Set Traps from Records of Past Catches",
        authors: &["Ellen Weaver", "Carol Netter", "Bob Hooker"],
        year: 1999,
        venue: "Proceedings of the Conference on Estuaries",
        cites: &[0, 1, 2, 3, 7],
    },
];

/// Papers that are only cited, behind the others.
pub const ELSEWHERE: &[SmallPaper] = &[
    SmallPaper {
        url: "",
        title: "An Unfinished Paper Nobody Refers To",
        authors: &["Nemo Nobody"],
        year: 1980,
        venue: "Letters of Silence",
        cites: &[],
    },
    SmallPaper {
        url: "",
        title: "A Treatise on the Behaviour of Eels",
        authors: &["Samuel Anguilla"],
        year: 1971,
        venue: "Journal of Marine Zoology",
        cites: &[],
    },
    SmallPaper {
        url: "",
        title: "Hydraulic Models of Small Estuaries and their Limits",
        authors: &["Margaret Flood", "Peter Sluice"],
        year: 1985,
        venue: "Annals of River Engineering",
        cites: &[],
    },
    SmallPaper {
        url: "",
        title: "Ropes, Knots and Splices for the Practical Fisherman",
        authors: &["Henry Rope"],
        year: 1966,
        venue: "Harbour Press",
        cites: &[],
    },
];

/// The place of the first paper of [`ELSEWHERE`] among those that are cited.
const FIRST_ELSEWHERE: usize = 6;

/// The paper at a place of `cites`.
#[must_use]
pub fn cited(place: usize) -> &'static SmallPaper {
    match place.checked_sub(FIRST_ELSEWHERE) {
        Some(place) => &ELSEWHERE[place],
        None => &PAPERS[place],
    }
}

/// A page of the small literature.
#[derive(Clone, Debug)]
pub struct SmallPage {
    pub url: String,
    pub html: String,
}

/// All pages: papers, then a list of publications, a course and notes of travel.
#[must_use]
pub fn pages() -> Vec<SmallPage> {
    let papers = PAPERS.iter().enumerate();
    let mut pages: Vec<SmallPage> = papers
        .map(|(at, paper)| SmallPage { url: paper.url.to_owned(), html: html(at, paper) })
        .collect();
    let page = |url: &str, html: String| SmallPage { url: url.to_owned(), html };
    let links = |paper: &SmallPaper| {
        format!("<li>{} <a href=\"{}\">paper</a>", reference(paper, 0), paper.url)
    };
    let list: String = PAPERS.iter().map(links).collect();
    pages.push(page(
        "http://fish.test/",
        format!(
            "<title>Publications of our group</title><h1>Introduction</h1><p>{}<h2>References</h2><ul>{list}</ul>",
            prose(40, 12)
        ),
    ));
    let books: String = (0..3).map(|at| format!("<li>{}", reference(cited(7 + at), 1))).collect();
    pages.push(page(
        "http://fish.test/course.html",
        format!(
            "<title>Course 101: nets</title><h1>Introduction to nets</h1><p>{}<h2>Homework</h2><p>{}\
             <h2>Grading</h2><p>Each exercise counts.<h2>References</h2><ul>{books}</ul>",
            prose(50, 30),
            prose(51, 10)
        ),
    ));
    pages.push(page(
        "http://river.test/",
        format!("<title>By boat along the river</title><h1>By boat</h1><p>{}", prose(60, 60)),
    ));
    pages
}

fn html(at: usize, paper: &SmallPaper) -> String {
    // One stands in the frame of its site.
    let above = match at {
        3 => "<div>Skip to main content</div><h1>The Institute of Rivers</h1><div>Log in</div>",
        _ => "",
    };
    let mut text = format!(
        "<html lang=en><title>{0}</title>{above}<h1>{0}</h1>\n<p>{1}<br>Department of Fisheries, University of Dover<br>\
         {2}@dover.edu<br>{3} {4}\n<h2>Abstract</h2><p>We study {5}. {6}\n",
        paper.title,
        paper.authors.join(", "),
        paper.authors[0].split(' ').next_back().unwrap_or_default().to_lowercase(),
        paper.venue,
        paper.year,
        paper.title.to_lowercase(),
        prose(at * 7, 3),
    );
    let _ = write!(text, "<h2>1 Introduction</h2><p>{}", prose(at * 7 + 1, 8));
    for (nth, place) in paper.cites.iter().enumerate() {
        let surname = cited(*place).authors[0].split(' ').next_back().unwrap_or_default();
        let _ = write!(text, " The work of {surname} [{}] is where we begin.", nth + 1);
    }
    let _ = write!(
        text,
        "\n<h2>2 Experiments</h2><p>{}\n<h2>3 Conclusion</h2><p>{}\n<h2>References</h2>\n",
        prose(at * 7 + 2, 12),
        prose(at * 7 + 3, 4)
    );
    for (nth, place) in paper.cites.iter().enumerate() {
        let _ = writeln!(text, "<p>[{}] {}", nth + 1, reference(cited(*place), at));
    }
    text
}

/// A reference in one of three styles.
fn reference(paper: &SmallPaper, style: usize) -> String {
    let parts = |name: &&str| {
        let (given, family) = name.split_once(' ').unwrap_or(("", name));
        (given[..1].to_owned(), family.to_owned())
    };
    let names: Vec<_> = paper.authors.iter().map(parts).collect();
    let SmallPaper { title, venue, year, .. } = paper;
    let volume = year % 30;
    match style % 3 {
        0 => {
            let names: Vec<String> = names.iter().map(|(g, f)| format!("{g}. {f}")).collect();
            format!("{}. {title}. {venue}, {volume}(2):12-19, {year}.", names.join(" and "))
        }
        1 => {
            let names: Vec<String> = names.iter().map(|(g, f)| format!("{f}, {g}.")).collect();
            format!("{} ({year}). {title}. In {venue}, pages 12-19.", names.join(" and "))
        }
        _ => {
            let names = paper.authors.join(" and ");
            format!("{names}. {}. {venue}, {volume}:12-19, {year}.", title.to_lowercase())
        }
    }
}

/// So many sentences, which only this number has.
fn prose(number: usize, sentences: usize) -> String {
    const WORDS: [&str; 40] = [
        "water",
        "river",
        "eel",
        "catch",
        "night",
        "tide",
        "harbour",
        "weather",
        "autumn",
        "spring",
        "season",
        "record",
        "bank",
        "stream",
        "mud",
        "reed",
        "boat",
        "rope",
        "crew",
        "village",
        "mill",
        "bridge",
        "lock",
        "current",
        "depth",
        "bottom",
        "shore",
        "salt",
        "migration",
        "silver",
        "yellow",
        "count",
        "weight",
        "length",
        "sample",
        "model",
        "estimate",
        "error",
        "result",
        "number",
    ];
    let mut state = number as u64 * 7_919 + 17;
    let mut word = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        WORDS[(state >> 33) as usize % WORDS.len()]
    };
    let mut text = String::new();
    for _ in 0..sentences {
        let words: Vec<&str> = (0..11).map(|_| word()).collect();
        let _ = write!(text, "The {} was known. ", words.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_citation_names_a_paper_and_no_page_is_there_twice() {
        for paper in PAPERS {
            assert!(paper.cites.iter().all(|place| cited(*place).title != paper.title));
        }
        let mut urls: Vec<String> = pages().into_iter().map(|page| page.url).collect();
        urls.sort();
        urls.dedup();
        assert_eq!(urls.len(), PAPERS.len() + 3);
        assert_eq!(cited(FIRST_ELSEWHERE).title, ELSEWHERE[0].title);
    }
}
