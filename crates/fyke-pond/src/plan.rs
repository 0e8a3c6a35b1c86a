//! Which ordinary hosts exist, of which kind and how large: by arithmetic, so that a web of a
//! hundred thousand hosts costs nothing until it is asked for.
//!
//! A core of named hosts is always there, whatever the size; truth and queries speak of it alone.
//! Larger ponds add hosts `dept-00000.test` and on, their page counts heavy-tailed.

use crate::Pond;
use crate::languages::{self, Language};
use crate::words::{hash, mix};

/// How large a pond is asked for. Hazard hosts count among `hosts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub hosts: usize,
    pub pages: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size { hosts: 24, pages: CORE_PAGES }
    }
}

/// Pages of the core hosts, listings included, rounded down.
pub const CORE_PAGES: usize = 1_700;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HostKind {
    Directory,
    Department,
    News,
    Shop,
    Wiki,
    Forum,
    Languages,
}

/// An ordinary host: everything on it follows from this.
#[derive(Clone, Debug)]
pub struct PondHost {
    pub name: String,
    pub kind: HostKind,
    /// What it calls itself.
    pub label: &'static str,
    /// Content pages; listings come on top.
    pub items: usize,
    /// Topics by number.
    pub theme: &'static [usize],
    /// Languages of the sections of a [`HostKind::Languages`] host, by code.
    pub languages: &'static [&'static str],
    /// Charset named in the header, or only in a meta tag.
    pub charset_in_header: bool,
    pub key: u64,
}

struct Core {
    name: &'static str,
    kind: HostKind,
    label: &'static str,
    items: usize,
    theme: &'static [usize],
    languages: &'static [&'static str],
    charset_in_header: bool,
}

/// The twelve topics twice, so that any run of them is a slice.
const RING: [usize; 24] =
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const ENGLISH: &[&str] = &["en"];

const fn core(
    name: &'static str,
    kind: HostKind,
    label: &'static str,
    items: usize,
    theme: &'static [usize],
) -> Core {
    Core { name, kind, label, items, theme, languages: ENGLISH, charset_in_header: true }
}

const CORE: [Core; 13] = [
    core("directory.test", HostKind::Directory, "The Directory", 0, ALL),
    core("marine.test", HostKind::Department, "Department of Coast and River", 132, &[0, 1, 2]),
    core("earth.test", HostKind::Department, "Department of Earth Studies", 132, &[3, 4, 0]),
    core("crafts.test", HostKind::Department, "Institute of Crafts", 160, &[8, 9, 10, 11]),
    core("foodways.test", HostKind::Department, "School of Foodways", 132, &[5, 6, 7]),
    core("courier.test", HostKind::News, "The Courier", 200, ALL),
    core("market.test", HostKind::Shop, "The Market Hall", 147, &[5, 6, 7, 8, 9, 10, 1]),
    core("wiki.test", HostKind::Wiki, "Pondpedia", 216, ALL),
    core("forum.test", HostKind::Forum, "The Bench Forum", 140, &[1, 2, 5, 7, 9, 11, 6]),
    Core {
        languages: &["de", "fr", "es", "en"],
        ..core("europe.test", HostKind::Languages, "Europa", 104, ALL)
    },
    Core {
        languages: &["cs", "sl", "pl"],
        charset_in_header: false,
        ..core("slavic.test", HostKind::Languages, "Slavia", 84, ALL)
    },
    Core {
        languages: &["ru"], ..core("moskva.test", HostKind::Languages, "Москва", 36, ALL)
    },
    Core {
        languages: &["ja", "zh", "ko"],
        charset_in_header: false,
        ..core("asia.test", HostKind::Languages, "Asia", 84, ALL)
    },
];

/// Kinds of the extra hosts, in shares of twenty.
const EXTRA_KINDS: [(HostKind, u64); 6] = [
    (HostKind::Department, 8),
    (HostKind::News, 2),
    (HostKind::Shop, 3),
    (HostKind::Wiki, 3),
    (HostKind::Forum, 2),
    (HostKind::Languages, 2),
];

/// Of a hundred extra hosts so many have this many hundredths of the mean page count: a few are
/// large, most are small, and the mean is exact.
const TAIL: [(usize, usize); 5] = [(50, 30), (30, 80), (15, 200), (4, 500), (1, 1100)];

/// All ordinary hosts, the core first.
pub fn hosts(pond: &Pond) -> impl Iterator<Item = PondHost> {
    let extra = (0..extra_hosts(pond)).map(|n| extra_host(pond, n));
    CORE.iter().map(|core| core_host(pond, core)).chain(extra)
}

pub(crate) fn core_hosts(pond: &Pond) -> impl Iterator<Item = PondHost> {
    CORE.iter().map(|core| core_host(pond, core))
}

/// A core host by number, for links across hosts.
pub(crate) fn core_host_at(pond: &Pond, at: usize) -> PondHost {
    core_host(pond, &CORE[at % CORE.len()])
}

pub(crate) const CORE_HOSTS: usize = CORE.len();

/// Host number `n` of all ordinary hosts.
pub fn host_at(pond: &Pond, n: usize) -> PondHost {
    if n < CORE.len() { core_host(pond, &CORE[n]) } else { extra_host(pond, n - CORE.len()) }
}

pub(crate) fn host_count(pond: &Pond) -> usize {
    CORE.len() + extra_hosts(pond)
}

/// An ordinary host by name.
pub fn host(pond: &Pond, name: &str) -> Option<PondHost> {
    number(pond, name).map(|n| host_at(pond, n))
}

/// The number of an ordinary host.
pub fn number(pond: &Pond, name: &str) -> Option<usize> {
    if let Some(n) = CORE.iter().position(|core| core.name == name) {
        return Some(n);
    }
    let digits = name.strip_prefix("dept-")?.strip_suffix(".test")?;
    let n = digits.parse().ok().filter(|n| *n < extra_hosts(pond))?;
    (extra_name(n) == name).then_some(CORE.len() + n)
}

fn core_host(pond: &Pond, core: &Core) -> PondHost {
    PondHost {
        name: core.name.into(),
        kind: core.kind,
        label: core.label,
        items: core.items,
        theme: core.theme,
        languages: core.languages,
        charset_in_header: core.charset_in_header,
        key: hash(pond.seed, core.name),
    }
}

fn extra_name(n: usize) -> String {
    format!("dept-{n:05}.test")
}

/// At least one when more pages are wanted than the core has.
fn extra_hosts(pond: &Pond) -> usize {
    let wanted = pond.size.hosts.saturating_sub(Size::default().hosts);
    wanted.max(usize::from(pond.size.pages > CORE_PAGES))
}

fn extra_host(pond: &Pond, n: usize) -> PondHost {
    let name = extra_name(n);
    let key = hash(pond.seed, &name);
    let mut share = mix(key, 1) % 20;
    let kind = EXTRA_KINDS.iter().find(|(_, shares)| {
        let here = share < *shares;
        share = share.saturating_sub(*shares);
        here
    });
    let kind = kind.map_or(HostKind::Department, |(kind, _)| *kind);
    let start = (mix(key, 2) % 12) as usize;
    let language = (mix(key, 3) % languages::CODES.len() as u64) as usize;
    let languages = match kind {
        HostKind::Languages => &languages::CODES[language..=language],
        _ => ENGLISH,
    };
    PondHost {
        name,
        kind,
        label: extra_label(kind),
        items: extra_items(pond, n),
        theme: &RING[start..start + 3],
        languages,
        charset_in_header: mix(key, 4).is_multiple_of(2),
        key,
    }
}

fn extra_label(kind: HostKind) -> &'static str {
    match kind {
        HostKind::Directory => "A Directory",
        HostKind::Department => "A Small Department",
        HostKind::News => "The Local Paper",
        HostKind::Shop => "A Corner Shop",
        HostKind::Wiki => "A Small Wiki",
        HostKind::Forum => "A Village Forum",
        HostKind::Languages => "Lingua",
    }
}

/// Content pages of extra host `n`: its share of what the core does not have. The listings that
/// every host brings come on top, so a large pond is somewhat larger than asked for.
fn extra_items(pond: &Pond, n: usize) -> usize {
    let rest = pond.size.pages.saturating_sub(CORE_PAGES);
    let mut place = (n * 37 + pond.seed as usize % 100) % 100;
    let row = TAIL.iter().find(|(count, _)| {
        let here = place < *count;
        place = place.saturating_sub(*count);
        here
    });
    let share = row.map_or(100, |(_, share)| *share);
    (rest * share).div_ceil(100 * extra_hosts(pond).max(1)).max(2)
}

/// The language of a section of a host.
pub fn language(host: &PondHost, section: usize) -> &'static Language {
    languages::by_code(host.languages[section % host.languages.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hazards;

    #[test]
    fn every_host_is_found_by_its_name_and_no_other_is() {
        let pond = Pond::new(7, Size { hosts: 3_000, pages: 30_000 }, Hazards::default());
        for known in hosts(&pond).step_by(13) {
            assert_eq!(host(&pond, &known.name).map(|h| h.key), Some(known.key));
        }
        for name in ["nowhere.test", "dept-0.test", "dept-02976.test", "dept-99999.test"] {
            assert!(host(&pond, name).is_none(), "{name}");
        }
    }

    #[test]
    fn page_counts_have_a_heavy_tail() {
        let pond = Pond::new(7, Size { hosts: 1_000, pages: 100_000 }, Hazards::default());
        let mut items: Vec<usize> = hosts(&pond).skip(CORE_HOSTS).map(|h| h.items).collect();
        items.sort_unstable();
        assert!(items[items.len() - 1] > 10 * items[items.len() / 2], "{:?}", items.last());
    }
}
