//! In what URLs of one page may differ: a parameter of the query, a session in the path, the version of a manual, the
//! scheme. Where a page says the same as one that was fetched before, and their URLs differ in one of them alone, that is
//! evidence that it changes nothing on this host; where it says something else, that it does.

use super::pieces::PieceSketch;
use fyke_web::Url;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// Pages that must have said the same, …
const LEAST_SAME: u32 = 4;
/// … and how many for each that did not. A version or a scheme is one of many copies of a whole site:
/// there a page that changed is no surprise.
const SAME_FOR_EACH: u32 = 8;
const SAME_FOR_EACH_SITE: u32 = 3;
/// Dimensions of a host that are remembered.
const MOST_DIMENSIONS: usize = 64;
/// Parameters of one URL that are looked at.
const MOST_PARAMETERS: usize = 8;
/// Places for what was fetched, at first and at the most: 1 and 256 kB.
const FIRST_PLACES: usize = 1 << 6;
const MOST_PLACES: usize = 1 << 14;
/// Places where one of them may stand.
const PROBES: usize = 4;
/// Names of versions that are no numbers.
const CHANNELS: [&str; 14] = [
    "stable",
    "latest",
    "current",
    "dev",
    "devel",
    "development",
    "main",
    "master",
    "trunk",
    "nightly",
    "edge",
    "next",
    "head",
    "unstable",
];

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension<'a> {
    Parameter(&'a str),
    /// `(S(id))` in the path.
    Session,
    Version,
    Scheme,
}

impl<'a> Dimension<'a> {
    /// Those that a URL has. A date is none: what a calendar's pages are worth is told by their shape.
    pub(super) fn of(url: &'a Url) -> Vec<Dimension<'a>> {
        let mut found = Dimension::all(url);
        if url.is_dated() {
            found.retain(|dimension| {
                let rest = Url::parse(&dimension.without(url));
                *dimension == Dimension::Scheme || rest.is_ok_and(|rest| rest.is_dated())
            });
        }
        found
    }

    fn all(url: &'a Url) -> Vec<Dimension<'a>> {
        let mut found = vec![Dimension::Scheme];
        let others =
            [(Dimension::Session, is_session as SegmentTest), (Dimension::Version, is_version)];
        for (dimension, is_it) in others {
            if segments(url).any(is_it) {
                found.push(dimension);
            }
        }
        for name in parameters(url).map(name_of).take(MOST_PARAMETERS) {
            let dimension = Dimension::Parameter(name);
            if !name.is_empty() && !found.contains(&dimension) {
                found.push(dimension);
            }
        }
        found
    }

    fn key(self) -> u64 {
        match self {
            Dimension::Parameter(name) => xxh3_64_with_seed(name.as_bytes(), 1),
            Dimension::Session => 1,
            Dimension::Version => 2,
            Dimension::Scheme => 3,
        }
    }

    /// How many pages that said the same make up for one that did not.
    fn same_for_each(self) -> u32 {
        match self {
            Dimension::Version | Dimension::Scheme => SAME_FOR_EACH_SITE,
            Dimension::Parameter(_) | Dimension::Session => SAME_FOR_EACH,
        }
    }

    /// The URL without it; as it is, where it has none of it.
    pub(super) fn without(self, url: &Url) -> String {
        let (path, authority) = (url.path(), url.authority());
        let scheme = if self == Dimension::Scheme { "" } else { url.scheme() };
        let path = match self {
            Dimension::Session => without_segment(path, is_session),
            Dimension::Version => without_segment(path, is_version),
            Dimension::Parameter(_) | Dimension::Scheme => path.to_owned(),
        };
        let is_kept = |parameter: &&str| self != Dimension::Parameter(name_of(parameter));
        let query: Vec<&str> = parameters(url).filter(is_kept).collect();
        let mark = if query.is_empty() { "" } else { "?" };
        format!("{scheme}://{authority}{path}{mark}{}", query.join("&"))
    }

    /// For people: `"replytocom"`, `the scheme`.
    pub(super) fn in_words(self) -> String {
        match self {
            Dimension::Parameter(name) => format!("\"{name}\""),
            Dimension::Session => "the session in the path".to_owned(),
            Dimension::Version => "the version".to_owned(),
            Dimension::Scheme => "the scheme".to_owned(),
        }
    }
}

type SegmentTest = fn(&str) -> bool;

fn segments(url: &Url) -> impl Iterator<Item = &str> {
    url.path().split('/')
}

fn parameters(url: &Url) -> impl Iterator<Item = &str> {
    let query = url.path_and_query().split_once('?').map_or("", |(_, query)| query);
    query.split('&').filter(|parameter| !parameter.is_empty())
}

fn name_of(parameter: &str) -> &str {
    parameter.split('=').next().unwrap_or(parameter)
}

/// A path without its first segment of a kind.
fn without_segment(path: &str, is_it: SegmentTest) -> String {
    let mut is_left_out = false;
    let kept = path.split('/').filter(|segment| {
        let is_first = !is_left_out && is_it(segment);
        is_left_out |= is_first;
        !is_first
    });
    kept.collect::<Vec<_>>().join("/")
}

/// "(S(x3k5...))", as ASP.NET writes it.
fn is_session(segment: &str) -> bool {
    let rest = segment.strip_prefix("(S(").or_else(|| segment.strip_prefix("(s("));
    rest.is_some_and(|rest| rest.ends_with("))"))
}

/// "1.2", "v3", "2.x", "3.1.0-rc1", "stable": a number alone may count anything.
fn is_version(segment: &str) -> bool {
    if CHANNELS.iter().any(|channel| segment.eq_ignore_ascii_case(channel)) {
        return true;
    }
    let number = segment.strip_prefix(['v', 'V']).unwrap_or(segment);
    let has_mark = number.len() < segment.len();
    let end = number.find(['-', '+']).unwrap_or(number.len());
    let mut parts = number[..end].split('.');
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let first = parts.next().is_some_and(|part| is_number(part) && part.len() <= 4);
    let mut count = 1;
    let rest = parts.all(|part| {
        count += 1;
        is_number(part) || part.eq_ignore_ascii_case("x") || part == "*"
    });
    first && rest && count <= 4 && (has_mark || count > 1)
}

/// What pages said whose URLs differ from a fetched one in one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct DimensionComparison {
    key: u64,
    /// The same.
    pub(super) same: u32,
    /// Something else.
    pub(super) different: u32,
}

impl DimensionComparison {
    /// It changes nothing.
    fn is_idle(&self, dimension: Dimension<'_>) -> bool {
        self.same >= LEAST_SAME && self.same >= self.different * dimension.same_for_each()
    }
}

/// What is known of the dimensions of one host.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Dimensions {
    compared: Vec<DimensionComparison>,
    fetched: FetchedPages,
}

impl Dimensions {
    /// Takes in a page that was fetched for the first time: what it says, and whether any of it is new.
    pub(super) fn take(&mut self, url: &Url, page: PieceSketch, is_news: bool) {
        for dimension in Dimension::of(url) {
            let base = dimension.without(url);
            let key = key(dimension, &base);
            let before = self.fetched.get(key).or_else(|| self.fetched.get(whole(&base)));
            if let Some(before) = before {
                self.count(dimension.key(), !is_news && before.is_like(page));
            }
            self.fetched.insert(key, page);
        }
        self.fetched.insert(whole(url.as_str()), page);
    }

    fn count(&mut self, key: u64, is_same: bool) {
        let at = self.compared.iter().position(|known| known.key == key);
        let at =
            at.unwrap_or_else(|| self.place(DimensionComparison { key, same: 0, different: 0 }));
        let DimensionComparison { same, different, .. } = &mut self.compared[at];
        let count = if is_same { same } else { different };
        *count = count.saturating_add(1);
    }

    /// Makes a place: a full table forgets what is known least.
    fn place(&mut self, new: DimensionComparison) -> usize {
        if self.compared.len() < MOST_DIMENSIONS {
            self.compared.push(new);
            return self.compared.len() - 1;
        }
        let places = self.compared.iter().enumerate();
        let least = places.min_by_key(|(_, known)| known.same.max(known.different));
        let at = least.map_or(0, |(at, _)| at);
        self.compared[at] = new;
        at
    }

    fn comparison(&self, dimension: Dimension<'_>) -> Option<&DimensionComparison> {
        let key = dimension.key();
        self.compared.iter().find(|known| known.key == key)
    }

    /// Whether something may change nothing here.
    pub(super) fn has_idle(&self) -> bool {
        self.compared.iter().any(|known| known.is_idle(Dimension::Version))
    }

    /// The dimensions of a URL that change nothing here, with the evidence.
    pub(super) fn idle<'a>(&self, url: &'a Url) -> Vec<(Dimension<'a>, DimensionComparison)> {
        let known = |dimension| Some((dimension, *self.comparison(dimension)?));
        let found = Dimension::of(url).into_iter().filter_map(known);
        found.filter(|(dimension, compared)| compared.is_idle(*dimension)).collect()
    }

    /// Whether a page was fetched whose URL differs in this dimension alone.
    pub(super) fn has_fetched(&self, dimension: Dimension<'_>, url: &Url) -> bool {
        let base = dimension.without(url);
        self.fetched.get(key(dimension, &base)).is_some() || self.has_fetched_text(&base)
    }

    /// Whether the page of a URL, as text, was fetched.
    pub(super) fn has_fetched_text(&self, text: &str) -> bool {
        self.fetched.get(whole(text)).is_some()
    }
}

/// A URL as it is, by hash.
fn whole(text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), 0)
}

/// What is left of a URL without a dimension, by hash.
fn key(dimension: Dimension<'_>, base: &str) -> u64 {
    xxh3_64_with_seed(base.as_bytes(), dimension.key())
}

/// Pages that were fetched, by hashes, each in one of a few places; one that is displaced is forgotten.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct FetchedPages {
    places: Vec<(u64, PieceSketch)>,
    filled: usize,
}

impl FetchedPages {
    /// The places where a key may stand; there must be some.
    fn places(&self, key: u64) -> impl Iterator<Item = usize> + use<> {
        let length = self.places.len();
        (0..PROBES).map(move |step| (key as usize).wrapping_add(step) % length)
    }

    fn get(&self, key: u64) -> Option<PieceSketch> {
        if self.places.is_empty() {
            return None;
        }
        let mut found = self.places(key).map(|place| self.places[place]);
        found.find(|(known, _)| *known == key).map(|(_, page)| page)
    }

    fn insert(&mut self, key: u64, page: PieceSketch) {
        if self.filled * 2 >= self.places.len() && self.places.len() < MOST_PLACES {
            let larger =
                vec![(0, PieceSketch::default()); (self.places.len() * 2).max(FIRST_PLACES)];
            let before = std::mem::replace(&mut self.places, larger);
            self.filled = 0;
            let known = before.into_iter().filter(|(key, _)| *key != 0);
            known.for_each(|(key, page)| self.put(key, page));
        }
        self.put(key, page);
    }

    fn put(&mut self, key: u64, page: PieceSketch) {
        let is_free =
            |place: &usize| matches!(self.places[*place].0, known if known == key || known == 0);
        let first = self.places(key).next();
        let Some(place) = self.places(key).find(is_free).or(first) else { return };
        self.filled += usize::from(self.places[place].0 == 0);
        self.places[place] = (key, page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a URL")
    }

    #[test]
    fn a_url_without_one_of_its_dimensions() {
        let check = |text: &str, dimension: Dimension<'_>, expected: &str| {
            assert_eq!(dimension.without(&url(text)), expected, "{text}");
        };
        check("http://a.test/p?b=1&c=2&b=3", Dimension::Parameter("b"), "http://a.test/p?c=2");
        check("http://a.test/p?b=1", Dimension::Parameter("b"), "http://a.test/p");
        check("http://a.test/p?b=1", Dimension::Scheme, "://a.test/p?b=1");
        check("http://a.test/(S(k3))/p", Dimension::Session, "http://a.test/p");
        check("http://a.test/en/1.2/p", Dimension::Version, "http://a.test/en/p");
        check("http://a.test/en/p", Dimension::Version, "http://a.test/en/p");
    }

    #[test]
    fn versions_are_told_from_other_segments() {
        for good in ["1.2", "v3", "3.11.4", "2.x", "v2.0-rc1", "stable", "Latest", "main"] {
            assert!(is_version(good), "{good}");
        }
        for bad in ["", "12", "2024", "v", "version", "1.2.html", "a.b", "10.0.0.0.1", "vb", "."] {
            assert!(!is_version(bad), "{bad}");
        }
    }

    /// Takes in pages of the same pieces, and whether they brought anything else.
    fn after(pages: &[(String, bool)]) -> Dimensions {
        let mut known = Dimensions::default();
        for (text, is_news) in pages {
            known.take(&url(text), PieceSketch::default(), *is_news);
        }
        known
    }

    #[test]
    fn what_changes_nothing_is_learned_from_pairs_and_unlearned_from_others() {
        let page = |n: u32, more: &str| format!("http://a.test/post?p={n}{more}");
        let pairs = |count: u32| -> Vec<(String, bool)> {
            let pair = |n| [(page(n, ""), true), (page(n, "&reply=7"), false)];
            (0..count).flat_map(pair).collect()
        };
        assert!(after(&pairs(3)).idle(&url(&page(1, "&reply=9"))).is_empty(), "may be chance");
        let mut known = after(&pairs(4));
        let asked = url(&page(3, "&reply=9"));
        let idle = known.idle(&asked);
        assert_eq!(idle.len(), 1, "p does change something");
        assert_eq!((idle[0].0, idle[0].1.same), (Dimension::Parameter("reply"), 4));
        assert!(known.has_fetched(Dimension::Parameter("reply"), &asked));
        assert!(!known.has_fetched(Dimension::Parameter("reply"), &url(&page(9, "&reply=9"))));
        known.take(&url(&page(3, "&reply=10")), PieceSketch::default(), true);
        assert!(known.idle(&asked).is_empty(), "one that said something else");
    }

    #[test]
    fn a_list_of_other_things_is_not_the_same_though_all_of_them_are_known() {
        let mut known = Dimensions::default();
        for n in 0..20_u32 {
            let pieces =
                (0..20).map(|at| fyke_text::TextPiece { hash: (n * 20 + at) << 8, words: 3 });
            let page = PieceSketch::of(&pieces.collect::<Vec<_>>());
            known.take(&url(&format!("http://a.test/list?colour={n}")), page, false);
        }
        assert!(!known.has_idle());
    }

    #[test]
    fn a_date_is_judged_by_its_shape_and_not_as_a_parameter() {
        let asked = url("http://a.test/cal?date=20261118&view=week");
        assert_eq!(Dimension::of(&asked), [Dimension::Scheme, Dimension::Parameter("view")]);
    }

    #[test]
    fn pages_past_the_end_of_a_list_do_not_make_its_numbers_idle() {
        let page = |n: u32| format!("http://a.test/list?page={n}");
        let pages: Vec<_> = (1..=26).map(|n| (page(n), n <= 21)).collect();
        assert!(!after(&pages).has_idle());
    }

    #[test]
    fn a_version_of_which_some_pages_changed_is_one_all_the_same() {
        let pages = |version: &str, changed: u32| -> Vec<(String, bool)> {
            let page = |n| (format!("https://a.test/en/{version}/page-{n}"), n < changed);
            (0..12).map(page).collect()
        };
        let asked = url("https://a.test/en/stable/page-7");
        let check = |changed: u32, expected: bool| {
            let known = after(&[pages("1.0", 12), pages("2.0", changed)].concat());
            assert_eq!(!known.idle(&asked).is_empty(), expected, "{changed} of 12 changed");
            assert!(known.has_fetched(Dimension::Version, &asked));
        };
        check(0, true);
        check(3, true);
        check(6, false);
        check(12, false);
    }

    #[test]
    fn a_host_with_the_same_pages_under_both_schemes_is_known() {
        let page = |scheme: &str, n: u32| format!("{scheme}://a.test/{n}");
        let pages = (0..5).flat_map(|n| [(page("http", n), true), (page("https", n), false)]);
        let known = after(&pages.collect::<Vec<_>>());
        let asked = url("https://a.test/9");
        assert_eq!(known.idle(&asked)[0].0, Dimension::Scheme);
        assert!(!known.has_fetched(Dimension::Scheme, &asked));
        assert!(known.has_fetched(Dimension::Scheme, &url("http://a.test/3")));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let pages: Vec<_> =
            (0..60_000).map(|n| (format!("http://a.test/?n{}={n}", n / 2), n % 2 == 0)).collect();
        let known = after(&pages);
        assert_eq!(known.compared.len(), MOST_DIMENSIONS);
        assert_eq!(known.fetched.places.len(), MOST_PLACES);
    }
}
