//! Search forms of the hosts that are named for that: what a page says of forms and words is taken up, queries are queued one
//! at a time as URLs of their own kind, and what they bring decides on the next (003 §3.2.5). What earlier runs found is read
//! again from its captures.

use super::answers::LinkedPage;
use super::discovery::Found;
use super::hosts::HostNumber;
use super::shard::Shard;
use crate::fetch::Fetch;
use crate::forms::{FormPage, FormProbing, SiteTerms, judge_form};
use crate::frontier::HostId;
use crate::glance::{LinkTarget, form_page};
use fyke_derive::{ReadLimits, read_within};
use fyke_store::{Row, RowKind, StoreError};
use fyke_web::{HtmlForm, Url, UrlId, authority_of};
use std::collections::{BTreeMap, HashSet};

/// Forms of one host that are sent, and those that are refused and written down.
const MOST_FORMS: usize = 20;
const MOST_REFUSED: usize = 50;
/// Queries that turn out to be known before one is not, in one turn.
const MOST_KNOWN: usize = 1_000;

/// The forms of one host.
#[derive(Debug, Default)]
pub(super) struct HostForms {
    terms: SiteTerms,
    /// By key, with how its queries are found.
    asked: BTreeMap<String, (FormProbing, Found)>,
    /// The keys of those that are not sent.
    refused: HashSet<String>,
}

/// A page whose forms are to be taken up.
#[derive(Debug)]
pub(super) struct SeenForms {
    url: Url,
    found: Found,
    is_first: bool,
    page: FormPage,
}

impl SeenForms {
    pub(super) fn of(linked: &LinkedPage, page: FormPage) -> SeenForms {
        SeenForms::on(&linked.url, linked.depth, linked.is_first, page)
    }

    fn on(url: &Url, depth: u16, is_first: bool, page: FormPage) -> SeenForms {
        let (parent, from) = (Some(url.id()), Some(url.domain_hash()));
        let found = Found { parent, from, depth, kind: RowKind::Query, ..Found::SEED };
        SeenForms { url: url.clone(), found, is_first, page }
    }
}

/// The key of a form that is not sent, as a URL: where it would be sent to, with the names of its fields.
fn refused_url(form: &HtmlForm) -> Option<Url> {
    let action = form.action.as_str().split(['?', '#']).next().unwrap_or_default();
    let names = form.fields.iter().map(|field| (field.name.as_str(), ""));
    Url::parse(&format!("{action}?{}", crate::forms::urlencoded(names))).ok()
}

impl<F: Fetch> Shard<'_, F> {
    /// Takes up the forms and the words of a page.
    pub(super) fn take_forms(&mut self, host: HostId, seen: SeenForms) -> Result<(), StoreError> {
        let SeenForms { url, found, is_first, page } = seen;
        let forms = self.forms.entry(self.hosts.number(host)).or_default();
        if is_first {
            forms.terms.take(page.terms);
        }
        for form in &page.forms {
            match judge_form(form, &url) {
                Ok(form) => {
                    let key = form.key();
                    if forms.asked.len() < MOST_FORMS && !forms.asked.contains_key(&key) {
                        forms.asked.insert(key, (FormProbing::new(form), found));
                    }
                }
                Err(why) => {
                    let Some(refused) = refused_url(form) else { continue };
                    let is_new = forms.refused.len() < MOST_REFUSED
                        && forms.refused.insert(refused.as_str().to_owned());
                    if is_new && !self.cell.is_elsewhere(&refused) {
                        self.discovery.refuse_form(&refused, found, &why)?;
                    }
                }
            }
        }
        self.ask_forms(self.hosts.number(host))
    }

    /// Takes in the links of an answer to a query. Further pages of results are asked for as long as they bring something.
    pub(super) fn discover_results(
        &mut self,
        host: HostId,
        linked: &LinkedPage,
    ) -> Result<(), StoreError> {
        let LinkedPage { id, url, page, depth, .. } = linked;
        let (parent, from) = (Some(*id), Some(url.domain_hash()));
        let found = Found { parent, from, depth: *depth, ..Found::SEED };
        let is_here = |target: &&LinkTarget| target.url.authority() == url.authority();
        let is_results = |target: &LinkTarget| target.url.path() == url.path();
        for target in page.targets.iter().filter(|target| !is_here(target)) {
            self.discovery.discover(&mut self.mail, target, found)?;
        }
        let mut news = 0;
        for target in page.targets.iter().filter(is_here).filter(|target| !is_results(target)) {
            let is_new = self.discovery.discover_listed(&mut self.mail, target, found, None)?;
            news += u32::from(is_new);
        }
        let more = Found { kind: RowKind::Query, ..found };
        let is_next = |target: &&LinkTarget| target.is_next && is_results(target) && news > 0;
        for target in page.targets.iter().filter(is_here).filter(is_next) {
            self.discovery.discover_listed(&mut self.mail, target, more, None)?;
        }
        if let Some(forms) = self.forms.get_mut(&self.hosts.number(host)) {
            forms.asked.values_mut().for_each(|(form, _)| form.count_news(*id, news));
        }
        Ok(())
    }

    /// A query was answered, or never will be: the next one.
    pub(super) fn end_query(&mut self, host: HostId, id: UrlId) -> Result<(), StoreError> {
        let number = self.hosts.number(host);
        if let Some(HostForms { terms, asked, .. }) = self.forms.get_mut(&number) {
            asked.values_mut().for_each(|(form, _)| form.end(id, terms));
        }
        self.ask_forms(number)
    }

    /// Queues the next query of every form that has none under way.
    fn ask_forms(&mut self, number: HostNumber) -> Result<(), StoreError> {
        let most = self.node.options.forms.queries;
        let Some(HostForms { terms, asked, .. }) = self.forms.get_mut(&number) else {
            return Ok(());
        };
        for (form, found) in asked.values_mut().filter(|(form, _)| form.is_free()) {
            for _ in 0..MOST_KNOWN {
                let Some(url) = form.next(terms, most) else { break };
                let target = LinkTarget::new(url);
                if self.discovery.discover_listed(&mut self.mail, &target, *found, None)? {
                    break;
                }
                form.pass_over();
            }
        }
        Ok(())
    }

    /// Takes up the forms and words of pages that earlier runs captured.
    pub(super) fn recall_forms(&mut self) -> Result<(), StoreError> {
        let options = &self.node.options.forms;
        if options.hosts.is_empty() || !self.cell.is_resumed || !self.node.is_first_pass() {
            return Ok(());
        }
        let is_meant = |row: &Row| {
            let kinds = matches!(row.kind, RowKind::Page | RowKind::Query);
            let is_named = options.hosts.iter().any(|host| *host == authority_of(&row.url));
            kinds && is_named && row.capture.is_some() && row.visited > 0
        };
        for row in self.cell.ledger().rows() {
            let (_, row) = row?;
            let Some(url) = Url::parse(&row.url).ok().filter(|_| is_meant(&row)) else { continue };
            if !self.mail.is_mine(url.domain_hash()) {
                continue;
            }
            let Some(place) = row.capture else { continue };
            // One that is damaged is passed by, as everywhere.
            let Ok(capture) = self.cell.collection.captures.read(place) else { continue };
            let page = read_within(&capture, &ReadLimits::default(), form_page);
            let Ok(page) = page else { continue };
            let host = self.host(url.authority(), url.scheme() == "https")?;
            let depth = row.depth.saturating_add(1);
            self.take_forms(host, SeenForms::on(&url, depth, true, *page))?;
            self.deliver()?;
        }
        Ok(())
    }
}
