//! Why a URL is where it is: a closed list, used alike in ledger, API, pages and metrics (B1).

use serde::{Deserialize, Serialize};

/// The one current reason of a URL. The number is written to disk: never renumber, only append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    Kept,
    Queued,
    DupExact,
    DupNear,
    Canonical,
    Thin,
    Lang,
    Soft404,
    Redirect,
    Robots,
    RobotsUnreachable,
    Noindex,
    Nofollow,
    ScopeHost,
    ScopePath,
    ScopeDepth,
    TrapPath,
    TrapCalendar,
    TrapLength,
    TrapQuery,
    BudgetHost,
    BudgetTotal,
    Http4xx,
    Http5xx,
    HttpOther,
    Timeout,
    Dns,
    Tls,
    Connect,
    Protocol,
    RedirectLoop,
    TooBig,
    Type,
    PrivateAddress,
    BudgetDomain,
    Mirror,
    Offtopic,
    ScopeSubject,
    Contact,
    Unfinished,
    DupParameter,
    TrapSame,
    Gone,
    Credentials,
    FormTried,
    FormRefused,
    Spam,
}

/// One row a reason, in the order of the enum: its name everywhere, and what it means.
#[rustfmt::skip]
const TABLE: [(Reason, &str, &str); 47] = [
    (Reason::Kept, "kept", "fetched and kept as a document"),
    (Reason::Queued, "queued", "found, waiting to be fetched"),
    (Reason::DupExact, "dup.exact", "its text is the same as that of another document"),
    (Reason::DupNear, "dup.near", "its text is nearly the same as that of another document"),
    (Reason::Canonical, "canonical", "the page names another URL as its canonical form"),
    (Reason::Thin, "thin", "too few words of main text"),
    (Reason::Lang, "lang", "not in a language the collection asks for"),
    (Reason::Soft404, "soft404", "an error page that was sent with a status of success"),
    (Reason::Redirect, "redirect", "redirects to another URL"),
    (Reason::Robots, "robots", "robots.txt forbids it"),
    (Reason::RobotsUnreachable, "robots.unreachable", "robots.txt is unreachable: all is forbidden"),
    (Reason::Noindex, "noindex", "the page asks not to be indexed"),
    (Reason::Nofollow, "nofollow", "found only by links that ask not to be followed"),
    (Reason::ScopeHost, "scope.host", "its host is outside the scope"),
    (Reason::ScopePath, "scope.path", "an allow or deny pattern leaves it out"),
    (Reason::ScopeDepth, "scope.depth", "too many links away from a seed"),
    (Reason::TrapPath, "trap.path", "its path repeats itself as in a trap"),
    (Reason::TrapCalendar, "trap.calendar", "pages of its calendar brought nothing new, as in an endless one"),
    (Reason::TrapLength, "trap.length", "the URL is too long"),
    (Reason::TrapQuery, "trap.query", "too many queries of one path, as in a trap"),
    (Reason::BudgetHost, "budget.host", "the host's budget was used up"),
    (Reason::BudgetTotal, "budget.total", "the crawl's budget was used up"),
    (Reason::Http4xx, "http.4xx", "the server answered with a status from 400 to 499"),
    (Reason::Http5xx, "http.5xx", "the server answered with a status from 500 to 599"),
    (Reason::HttpOther, "http.other", "the server answered with a status that means no page"),
    (Reason::Timeout, "timeout", "the answer took too long"),
    (Reason::Dns, "dns", "the host's name does not resolve"),
    (Reason::Tls, "tls", "no secure connection could be made"),
    (Reason::Connect, "connect", "no connection could be made"),
    (Reason::Protocol, "protocol", "the answer was no valid HTTP"),
    (Reason::RedirectLoop, "redirect.loop", "redirects in a circle, or too often"),
    (Reason::TooBig, "too-big", "larger than the size limit"),
    (Reason::Type, "type", "of a media type that is not wanted"),
    (Reason::PrivateAddress, "private-address", "its host has an address inside a private network"),
    (Reason::BudgetDomain, "budget.domain", "the domain's budget was used up"),
    (Reason::Mirror, "mirror", "the same page is had from another host, scheme or version"),
    (Reason::Offtopic, "offtopic", "fetched, but not about the collection's subject"),
    (Reason::ScopeSubject, "scope.subject", "too many links away from a page about the subject"),
    (Reason::Contact, "contact", "not on this machine, and no contact is set: nobody is asked anonymously"),
    (Reason::Unfinished, "unfinished", "reading it took too long, or ended the program twice"),
    (Reason::DupParameter, "dup.parameter", "differs from another URL only in what changes nothing on its host"),
    (Reason::TrapSame, "trap.same", "pages of URLs like it brought nothing new, as in a trap"),
    (Reason::Gone, "gone", "it was fetched before, and two looks in a row found it gone"),
    (Reason::Credentials, "credentials", "its host did not accept the credentials that are named for it"),
    (Reason::FormTried, "form.tried", "an answer to a query of a search form: its links were followed"),
    (Reason::FormRefused, "form.refused", "a form that is not sent: it may do more than look something up"),
    (Reason::Spam, "spam", "made to be found, and not for readers; fyke why has the evidence"),
];

const fn all() -> [Reason; TABLE.len()] {
    let mut reasons = [Reason::Kept; TABLE.len()];
    let mut i = 0;
    while i < TABLE.len() {
        reasons[i] = TABLE[i].0;
        i += 1;
    }
    reasons
}

impl Reason {
    /// Every reason, in the order of their numbers.
    pub const ALL: &'static [Reason] = &all();

    /// Its name: "dup.exact", "scope.host", "http.4xx".
    #[must_use]
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// The reason of this name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Reason> {
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// What it means, as half a sentence in plain words.
    #[must_use]
    pub fn explain(self) -> &'static str {
        TABLE[self as usize].2
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_row_of_the_table_stands_at_its_number_and_parses_back() {
        for (number, &(reason, name, meaning)) in TABLE.iter().enumerate() {
            assert_eq!(reason as usize, number, "{name} stands in the wrong row");
            assert_eq!(Reason::parse(name), Some(reason));
            assert_eq!((reason.name(), reason.explain()), (name, meaning));
            assert!(meaning.len() > 10, "{name} is not explained");
            // What is written to disk is the number.
            assert_eq!(postcard::to_stdvec(&reason).unwrap(), [number as u8]);
        }
        let names: BTreeSet<_> = Reason::ALL.iter().map(|r| r.name()).collect();
        assert_eq!(names.len(), TABLE.len());
        assert_eq!(Reason::ALL.last(), Some(&Reason::Spam));
        assert_eq!(Reason::parse("dup.none"), None);
    }
}
