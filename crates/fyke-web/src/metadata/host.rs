//! Titles by what the pages of a host share. A part in front of a bar or behind one that many of a host's titles
//! have (the name of the site, of a manual, of a section) is no part of a page's title; a heading that many pages
//! have is the site's. Where a title is left that several pages have, another name of the page that no other page
//! has takes its place.
//!
//! Three looks at the pages: [`HostSample`] counts the parts of some titles, [`HostTitles::title`] gives each page its
//! title, and of those that several pages have [`HostTitles::others`] gives what else they may be called;
//! [`TitleCounts`] chooses.

use super::title::{PageNames, SiteName, bars_of, brackets, letters, title};
use crate::UrlId;
use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64;

/// Pages of a host whose titles are counted.
const SAMPLE: usize = 400;
/// With fewer pages nothing is known of a host.
const LEAST_PAGES: usize = 4;
/// So many titles must have a part, each with another rest …
const LEAST: usize = 4;
/// … and this share of the host's: behind a bar sections count as well, and one of many manuals.
const BEHIND: f64 = 0.02;
const BEFORE: f64 = 0.25;
/// What is in brackets, or before a colon, may belong to the name.
const DOUBTFUL: f64 = 0.3;
/// A part that so many have goes even where the page's heading repeats it.
const MOST_OF_ALL: f64 = 0.6;
/// Most places at which a title is divided.
const MOST_PARTS: usize = 12;
/// A heading is the site's when so many pages have it, and this share.
const SHARED: f64 = 0.1;

/// A name by which a host's page may be called in the place of a title that others have, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherName {
    pub name: String,
    /// Good enough where few pages share the title; others are for titles that many share.
    pub is_close: bool,
}

/// Counts of some pages of a host.
#[derive(Debug, Default)]
pub struct HostSample {
    pages: usize,
    parts: HashMap<u64, usize>,
    /// Parts with what stands beside them: the same title counts once.
    seen: HashSet<u64>,
    headings: HashMap<u64, usize>,
}

/// What the titles of a host share.
#[derive(Debug, Default)]
pub struct HostTitles {
    /// Parts, with the share of titles that have them.
    parts: HashMap<u64, f64>,
    headings: HashSet<u64>,
}

/// A title divided at a bar: the page's own part and the one that may be the site's.
#[derive(Clone, Copy)]
struct Division<'a> {
    own: &'a str,
    part: &'a str,
    /// The share of titles that must have the part.
    least: f64,
}

/// Every way to cut a part off a title, the longest part first.
fn divisions(title: &str) -> Vec<Division<'_>> {
    let mut found = Vec::new();
    for bar in bars_of(title) {
        let is_colon = *bar == ": ";
        for (at, _) in title.match_indices(bar).take(MOST_PARTS) {
            let (front, back) = (&title[..at + bar.len()], &title[at..]);
            let (before, behind) = (&title[..at], &title[at + bar.len()..]);
            let least = if is_colon { DOUBTFUL } else { BEFORE };
            found.push(Division { own: behind, part: front, least });
            if !is_colon {
                found.push(Division { own: before, part: back, least: BEHIND });
            }
        }
    }
    if let Some((front, _)) = brackets(title) {
        found.push(Division { own: front, part: &title[front.len()..], least: DOUBTFUL });
    }
    found.retain(|division| division.own.contains(char::is_alphanumeric));
    found.sort_by_key(|division| std::cmp::Reverse(division.part.len()));
    found.truncate(2 * MOST_PARTS);
    found
}

/// The parts of one title before and behind are told apart by their bars.
fn key(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

fn key_of_letters(text: &str) -> u64 {
    xxh3_64(letters(text).as_bytes())
}

/// The titles a page says it has: for machines, and for people.
fn told(names: &PageNames) -> impl Iterator<Item = &str> {
    let is_other = names.told != names.element;
    [names.element.as_str(), &names.told].into_iter().take(1 + usize::from(is_other))
}

fn headings(names: &PageNames) -> impl Iterator<Item = &str> {
    let all = std::iter::once(&names.heading).chain(&names.large).chain(&names.marked);
    all.map(String::as_str).filter(|name| !name.is_empty())
}

impl HostSample {
    /// Whether enough pages were seen.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.pages >= SAMPLE
    }

    /// Takes up a page.
    pub fn add(&mut self, names: &PageNames) {
        self.pages += 1;
        let mut parts = HashSet::new();
        for title in told(names) {
            for Division { own, part, .. } in divisions(title) {
                if self.seen.insert(key(part) ^ key(own).rotate_left(1)) {
                    parts.insert(key(part));
                }
            }
        }
        for part in parts {
            *self.parts.entry(part).or_default() += 1;
        }
        let headings: HashSet<u64> = headings(names).map(key_of_letters).collect();
        for heading in headings {
            *self.headings.entry(heading).or_default() += 1;
        }
    }

    /// What they share; nothing of a host with few pages.
    #[must_use]
    pub fn finish(self) -> HostTitles {
        if self.pages < LEAST_PAGES {
            return HostTitles::default();
        }
        let pages = self.pages as f64;
        let parts = self.parts.into_iter().filter(|(_, count)| *count >= LEAST);
        let is_shared = |count: usize| count >= LEAST && count as f64 >= SHARED * pages;
        let headings = self.headings.into_iter().filter(|(_, count)| is_shared(*count));
        HostTitles {
            parts: parts.map(|(part, count)| (part, count as f64 / pages)).collect(),
            headings: headings.map(|(heading, _)| heading).collect(),
        }
    }
}

impl HostTitles {
    fn is_shared(&self, heading: &str) -> bool {
        self.headings.contains(&key_of_letters(heading))
    }

    /// The names without the headings that are the site's.
    fn own_names(&self, names: &PageNames) -> PageNames {
        if self.headings.is_empty() {
            return names.clone();
        }
        let own =
            |list: &[String]| list.iter().filter(|name| !self.is_shared(name)).cloned().collect();
        let (large, marked): (Vec<String>, Vec<String>) = (own(&names.large), own(&names.marked));
        let heading = match self.is_shared(&names.heading) {
            true => large.first().cloned().unwrap_or_default(),
            false => names.heading.clone(),
        };
        PageNames { heading, large, marked, ..names.clone() }
    }

    /// A title without the parts that are the site's. A part that a heading of the page repeats with the title is its
    /// own, unless most of the site's titles have it.
    fn cut<'a>(&self, title: &'a str, names: &PageNames) -> &'a str {
        let is_heading = LazyCell::new(|| {
            let whole = letters(title);
            headings(names).any(|heading| letters(heading) == whole)
        });
        let is_site = |division: &Division<'_>| {
            let share = self.parts.get(&key(division.part)).copied().unwrap_or(0.0);
            share >= division.least && (share >= MOST_OF_ALL || !*is_heading)
        };
        let mut cut = title;
        // In front and behind, each once: the longest part that counts.
        for _ in 0..2 {
            let Some(division) = divisions(cut).into_iter().find(is_site) else { break };
            cut = division.own.trim();
        }
        cut
    }

    /// The title of a page.
    #[must_use]
    pub fn title(&self, names: &PageNames, site: &str, host: &str) -> String {
        let own = self.own_names(names);
        let [told, element] = [&names.told, &names.element].map(|title| self.cut(title, &own));
        let (told, element) = (told.to_owned(), element.to_owned());
        title(&PageNames { told, element, ..own }, &SiteName { name: site, host })
    }

    /// What a page may be called in the place of a title that other pages have, too, the best first.
    #[must_use]
    pub fn others(&self, names: &PageNames, title: &str) -> Vec<OtherName> {
        let own = self.own_names(names);
        let known = letters(title);
        let mut others: Vec<OtherName> = Vec::new();
        let mut add = |name: &str, is_close: bool| {
            let is_new = letters(name).len() > 1 && letters(name) != known;
            if is_new && others.iter().all(|other| other.name != name) {
                others.push(OtherName { name: name.to_owned(), is_close });
            }
        };
        let cut: Vec<&str> = told(names).map(|told| self.cut(told, &own)).collect();
        let names: Vec<&str> = cut.iter().copied().chain(headings(&own)).collect();
        // The same with more words: "Net Member List" for "Member List".
        let says_more = |name: &&&str| letters(name).contains(&known);
        names.iter().filter(says_more).for_each(|name| add(name, true));
        told_less_cut(self, &own).iter().for_each(|name| add(name, true));
        let rest = names.iter().copied().chain([own.crumb.as_str()]);
        rest.filter(|name| letters(name).len() > 2).for_each(|name| add(name, false));
        headings(&own).for_each(|name| add(&format!("{title} – {}", bare(name)), false));
        others
    }
}

/// The titles with a part that only some of the site's have.
fn told_less_cut(host: &HostTitles, names: &PageNames) -> Vec<String> {
    let mut found = Vec::new();
    for title in told(names) {
        let is_most = |division: &Division<'_>| {
            host.parts.get(&key(division.part)).is_some_and(|share| *share >= MOST_OF_ALL)
        };
        let less = divisions(title).into_iter().find(is_most).map_or(title, |part| part.own.trim());
        found.push(less.to_owned());
    }
    found
}

/// A name without signs around it: "- g -" is "g".
fn bare(name: &str) -> &str {
    name.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '(' | ')'))
}

/// A title is one of many when so many pages of a host have it.
const MANY: u32 = 4;

/// A title of a host that was counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedTitle(u64);

/// How many pages of a host have which title, and how many of those that share theirs may be called so instead.
#[derive(Debug, Default)]
pub struct TitleCounts {
    titles: HashMap<u64, u32>,
    others: HashMap<u64, u32>,
}

impl TitleCounts {
    /// Counts the title of a page …
    pub fn add(&mut self, host: UrlId, title: &str) -> CountedTitle {
        let key = key_in(host, title);
        *self.titles.entry(key).or_default() += 1;
        CountedTitle(key)
    }

    /// Whether other pages have a title that was counted.
    #[must_use]
    pub fn has_others(&self, title: CountedTitle) -> bool {
        self.titles.get(&title.0).is_some_and(|pages| *pages > 1)
    }

    /// … and what else it may be called.
    pub fn add_others(&mut self, host: UrlId, others: &[OtherName]) {
        for other in others {
            *self.others.entry(key_in(host, &other.name)).or_default() += 1;
        }
    }

    /// Whether other pages have the title, too.
    #[must_use]
    pub fn is_shared(&self, host: UrlId, title: &str) -> bool {
        self.pages(host, title) > 1
    }

    /// Whether many pages have it.
    #[must_use]
    pub fn is_of_many(&self, host: UrlId, title: &str) -> bool {
        self.pages(host, title) >= MANY
    }

    fn pages(&self, host: UrlId, title: &str) -> u32 {
        self.titles.get(&key_in(host, title)).copied().unwrap_or(0)
    }

    /// Of names that no other page has the first; none where there is no such name.
    #[must_use]
    pub fn choose(&self, host: UrlId, title: &str, others: Vec<OtherName>) -> Option<String> {
        let is_of_many = self.is_of_many(host, title);
        let is_alone = |other: &OtherName| {
            let may_have = self.others.get(&key_in(host, &other.name)).copied().unwrap_or(0);
            let has = self.pages(host, &other.name);
            has + may_have < 2 && (other.is_close || is_of_many)
        };
        others.into_iter().find(is_alone).map(|other| other.name)
    }
}

fn key_in(host: UrlId, title: &str) -> u64 {
    xxh3_64(title.to_lowercase().as_bytes()) ^ host.0
}

/// Whether the last step of a path spells a title: then it is the page's own, however many others have it.
#[must_use]
pub fn is_spelled(title: &str, path: &str) -> bool {
    let (title, step) = (letters(title), letters(last_step(path)));
    title.len() > 1 && step.contains(&title)
}

fn last_step(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Whether two pages, each a title and a path, have names of their own, which their paths end with and of the two titles
/// only theirs says: such pages are no copies, however alike their texts are. Numbers alone are no names: so are the pages
/// of a list told apart.
#[must_use]
pub fn are_named_apart(one: (&str, &str), other: (&str, &str)) -> bool {
    last_step(one.1) != last_step(other.1)
        && has_own_name(one, other.0)
        && has_own_name(other, one.0)
}

fn has_own_name((title, path): (&str, &str), other: &str) -> bool {
    let others: HashSet<&str> = other.split_whitespace().collect();
    let is_name = |word: &&str| {
        let is_version = word.split('.').filter(|part| !part.is_empty()).nth(1).is_some();
        !others.contains(word) && (is_version || word.contains(char::is_alphabetic))
    };
    let mut names = title.split_whitespace().filter(is_name);
    names.any(|name| is_spelled(name, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(element: &str, headings: &[&str]) -> PageNames {
        let large: Vec<String> = headings.iter().map(|heading| (*heading).to_owned()).collect();
        let heading = large.last().cloned().unwrap_or_default();
        PageNames { element: element.to_owned(), heading, large, ..PageNames::default() }
    }

    fn titles(pages: &[PageNames]) -> (HostTitles, Vec<String>) {
        let mut sample = HostSample::default();
        pages.iter().for_each(|page| sample.add(page));
        let host = sample.finish();
        let titles = pages.iter().map(|page| host.title(page, "", "a.test")).collect();
        (host, titles)
    }

    const FISH: [&str; 6] = ["Eel", "Pike", "Carp: a tale", "Tench", "Roach - a poem", "Perch"];

    #[track_caller]
    fn check(element: impl Fn(&str) -> String, headings: &[&str]) {
        let pages = FISH.map(|fish| page(&element(fish), headings));
        assert_eq!(titles(&pages).1, FISH, "{}", element("Eel"));
    }

    #[test]
    fn what_the_titles_of_a_host_share_is_cut_off() {
        check(|fish| format!("{fish} (The Great Book (version 7.3.0))"), &[]);
        check(|fish| format!("Rivers: API Guide: {fish}"), &[]);
        check(|fish| format!("{fish} - Fish | Rivers and More"), &[]);
        check(|fish| format!("Rivers » {fish} — The Book"), &["Rivers Mailer"]);
        check(|fish| format!("Rivers documentation: {fish}"), &[]);
        check(str::to_owned, &["Rivers Mailer"]);
    }

    #[test]
    fn parts_that_few_titles_share_are_the_page_s_own() {
        let own =
            ["Alien (film)", "Jaws (film)", "Nets - a history", "Of nets: knots", "Rope", "Cord"];
        let pages = own.map(|title| page(title, &[]));
        assert_eq!(titles(&pages).1, own);
        // So few pages say nothing.
        let own = ["Eel | Rivers", "Pike | Rivers", "Tench | Rivers"];
        assert_eq!(titles(&own.map(|title| page(title, &[]))).1, own);
        // The same title again and again is not shared.
        let own = ["Eel | Rivers"; 6];
        assert_eq!(titles(&own.map(|title| page(title, &[]))).1, own);
    }

    #[test]
    fn one_title_for_all_pages_gives_way_to_their_headings() {
        let pages = FISH.map(|fish| page("Rivers", &["Our site", fish]));
        let (host, found) = titles(&pages);
        assert_eq!(found[0], "Rivers");
        let others = host.others(&pages[0], "Rivers");
        assert_eq!(others[0], OtherName { name: "Eel".to_owned(), is_close: false });
    }

    #[test]
    fn a_longer_name_of_the_page_is_the_closest() {
        let marked = |fish: &str| PageNames {
            marked: vec![format!("{fish} Member List")],
            ..page("Rivers: Member List", &[])
        };
        let mut pages: Vec<PageNames> = FISH.iter().map(|fish| marked(fish)).collect();
        pages.extend(FISH.map(|fish| page(&format!("Rivers: {fish}"), &[])));
        let (host, found) = titles(&pages);
        assert_eq!((&*found[0], &*found[6]), ("Member List", "Eel"));
        let others = host.others(&pages[1], "Member List");
        assert_eq!(others[0], OtherName { name: "Pike Member List".to_owned(), is_close: true });
    }

    #[test]
    fn the_end_of_the_path_may_spell_a_title() {
        let check = |title: &str, path: &str, expected: bool| {
            assert_eq!(is_spelled(title, path), expected, "{title} {path}");
        };
        check("Overview", "/tench/overview.html", true);
        check("Member List", "/class_eel-members.html", false);
        check("", "/x", false);
        check("Roach", "/fish/roach/", true);
    }

    #[test]
    fn pages_are_apart_whose_paths_spell_what_only_their_titles_say() {
        let check = |one: (&str, &str), other: (&str, &str), expected: bool| {
            assert_eq!(are_named_apart(one, other), expected, "{one:?} {other:?}");
            assert_eq!(are_named_apart(other, one), expected, "{other:?} {one:?}");
        };
        let path = ("find_path — Manual", "/command/find_path.html");
        check(path, ("find_file — Manual", "/command/find_file.html"), true);
        check(path, ("find_path — Manual", "/3.2/command/find_path.html"), false);
        check(path, ("find_path (print)", "/command/find_path-print.html"), false);
        check(path, ("Finden", "/de/command/find_path.html"), false);
        check(("Release 3.20.1", "/log/3_20_1.html"), ("Release 3.20", "/log/3_20.html"), true);
        check(("Eels, page 12", "/eels/12"), ("Eels, page 13", "/eels/13"), false);
        check(("Eels", "/tag/5"), ("Pikes", "/tag/7"), false);
    }
}
