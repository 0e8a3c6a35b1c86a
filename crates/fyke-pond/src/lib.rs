//! The pond: a small stocked web with known truth, a pure function of seed and size.
//!
//! Pages are computed when asked for and never held. Ordinary sites live in [`sites`], every
//! hazard of the sources in [`hazards`], sites as common software makes them in [`kinds`], what is right and wrong in [`truth`]; [`server`] puts
//! them on one loopback port and [`judge`] watches the crawler from the server's side.

pub mod answer;
pub mod deep;
pub mod departments;
pub mod feeds;
pub mod folder;
pub mod hazards;
pub mod judge;
pub mod kinds;
pub mod languages;
pub mod notices;
pub mod plain;
pub mod plan;
pub mod render;
pub mod robots;
pub mod server;
pub mod sitemaps;
pub mod sites;
pub mod truth;
pub mod words;

pub use answer::{Answer, AnswerKind, Ask, Body};
pub use departments::Departments;
pub use hazards::Hazards;
pub use plan::{PondHost, Size};
pub use render::PondPage;
pub use truth::Truth;

/// A generated web. Cheap to make: it holds the recipe, not the pages.
#[derive(Clone, Debug)]
pub struct Pond {
    pub seed: u64,
    pub size: Size,
    pub hazards: Hazards,
    /// Departments with papers, in the place of all that stands in a pond otherwise.
    pub departments: Option<Departments>,
    /// Live pages change so many times as often.
    pub live_speed: u64,
    /// The deep web, in the place of all that stands in a pond otherwise.
    pub is_deep: bool,
}

impl Pond {
    pub fn new(seed: u64, size: Size, hazards: Hazards) -> Pond {
        Pond { seed, size, hazards, departments: None, is_deep: false, live_speed: 1 }
    }

    /// The deep web instead of the ordinary hosts and hazards.
    pub fn deep(seed: u64) -> Pond {
        Pond { is_deep: true, ..Pond::new(seed, Size::default(), Hazards::none()) }
    }

    /// Departments with papers instead of the ordinary hosts and hazards.
    pub fn of_papers(departments: Departments) -> Pond {
        let plain = Pond::new(departments.seed, Size::default(), Hazards::none());
        Pond { departments: Some(departments), ..plain }
    }

    /// Everything is reachable from these.
    pub fn seeds(&self) -> Vec<String> {
        if self.is_deep {
            return deep::seeds();
        }
        if let Some(departments) = &self.departments {
            return departments.seeds();
        }
        ["directory.test", "wiki.test", "courier.test"].map(|h| format!("http://{h}/")).to_vec()
    }

    /// All host names that resolve, ordinary hosts first.
    pub fn hosts(&self) -> impl Iterator<Item = String> {
        let departments = self.departments.iter().flat_map(Departments::hosts);
        let hazards = hazards::hosts(self).into_iter().filter(|h| plan::host(self, h).is_none());
        let ordinary = plan::hosts(self).map(|h| h.name).chain(hazards);
        let is_ordinary = self.departments.is_none() && !self.is_deep;
        let deep = deep::HOSTS.into_iter().filter(|_| self.is_deep).map(str::to_owned);
        departments.chain(deep).chain(ordinary.filter(move |_| is_ordinary))
    }

    /// Order: unknown host, robots.txt, sitemaps and feeds, hazards, ordinary sites.
    pub fn answer(&self, ask: &Ask) -> Answer {
        if let Some(departments) = &self.departments {
            return if ask.path == "/robots.txt" {
                robots::text(robots::FREE)
            } else {
                departments.answer(ask)
            };
        }
        if self.is_deep {
            return if ask.path == "/robots.txt" {
                robots::answer(self, ask)
            } else {
                deep::answer(self, ask)
            };
        }
        let ordinary = plan::host(self, ask.host);
        if ordinary.is_none() && !hazards::hosts(self).iter().any(|h| h == ask.host) {
            return Answer::missing();
        }
        if ask.path == "/robots.txt" {
            return robots::answer(self, ask);
        }
        if let Some(answer) = sitemaps::answer(self, ask).or_else(|| hazards::answer(self, ask)) {
            return answer;
        }
        ordinary.map_or_else(Answer::missing, |host| sites::answer(self, &host, ask))
    }

    /// An ordinary page by host and path, with its title, language, topics and main text range.
    pub fn page(&self, host: &str, path: &str) -> Option<PondPage> {
        sites::page(self, &plan::host(self, host)?, path, 0)
    }

    /// The text a reader came for: without navigation, teasers, banners and comments.
    pub fn main_text(&self, host: &str, path: &str) -> Option<String> {
        Some(self.page(host, path)?.main_text())
    }

    /// What is known about this web; see [`truth`] for its bounds.
    pub fn truth(&self) -> Truth {
        truth::truth(self)
    }
}
