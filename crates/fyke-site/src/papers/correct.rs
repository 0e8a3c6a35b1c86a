//! What people say of a paper on its page: other fields, or that a document is none. It is written into `papers.toml`,
//! as `fyke papers correct` and `refuse` do, and taken up at once. Taken only from our own page (same origin, and a
//! token that only it knows), and never on a site that is open to others.

use super::paper;
use crate::answer::{self, Filled, RequestTrouble};
use crate::orders::is_ours;
use crate::{Site, saved};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use fyke_stages::config::ToldPapers;
use serde::Deserialize;
use std::sync::Arc;

/// Bytes of a field.
const LONGEST: usize = 2_000;

/// What the form says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SentPaper {
    token: String,
    title: String,
    authors: String,
    venue: String,
    year: String,
}

/// Takes a form: `correct` or `refuse`.
pub(super) async fn take(
    State(site): State<Arc<Site>>,
    Path((key, what)): Path<(String, String)>,
    headers: HeaderMap,
    Filled(sent): Filled<SentPaper>,
) -> Response {
    let open =
        "this site is open to other machines: its papers are corrected by fyke papers correct";
    let elsewhere = "corrections are taken only from the page of a paper";
    if let Err(trouble) = is_ours(site.lab.own_token(), (&headers, &sent.token), [open, elsewhere])
    {
        return trouble.page(&site);
    }
    let done = answer::read(&site, move |site| match what.as_str() {
        "correct" => correct(site, &key, &sent),
        "refuse" => refuse(site, &key),
        _ => Err(RequestTrouble::Missing(format!("there is no form {what}"))),
    });
    match done.await {
        Ok(to) => Redirect::to(&to).into_response(),
        Err(trouble) => trouble.page(&site),
    }
}

/// Notes the fields that are other than those shown; gives the page to go to.
fn correct(site: &Site, key: &str, sent: &SentPaper) -> Result<String, RequestTrouble> {
    let shown = paper::find(site, key, 0)?.summary;
    let year = match sent.year.trim() {
        "" => None,
        text => {
            let year = text.parse().ok().filter(|year| (1500..=2100).contains(year));
            Some(year.ok_or_else(|| RequestTrouble::Bad(format!("{text:?} is no year")))?)
        }
    };
    if [&sent.title, &sent.authors, &sent.venue].iter().any(|text| text.len() > LONGEST) {
        return Err(RequestTrouble::Bad(format!("a field has {LONGEST} bytes at most")));
    }
    tell(site, |told| {
        let fields = told.fields.entry(key.to_owned()).or_default();
        let authors = shown.authors.iter().map(|author| author.name.as_str());
        let authors = authors.collect::<Vec<_>>().join(" and ");
        let venue = shown.venue.map(|venue| venue.name).unwrap_or_default();
        for (field, sent, shown) in [
            (&mut fields.title, &sent.title, &shown.title),
            (&mut fields.authors, &sent.authors, &authors),
            (&mut fields.venue, &sent.venue, &venue),
        ] {
            let sent = sent.trim();
            if !sent.is_empty() && sent != shown {
                sent.clone_into(field);
            }
        }
        fields.year = year.filter(|year| shown.year != Some(*year)).or(fields.year);
    })?;
    Ok(format!("/papers/{key}?saved=1"))
}

/// Notes that the documents of a paper are none.
fn refuse(site: &Site, key: &str) -> Result<String, RequestTrouble> {
    let shown = paper::find(site, key, 0)?.summary;
    if shown.documents.is_empty() {
        return Err(RequestTrouble::Bad("this paper is cited and not held".to_owned()));
    }
    tell(site, |told| told.refused.extend(shown.documents.into_iter().map(|one| one.url)))?;
    Ok("/papers".to_owned())
}

fn tell(site: &Site, say: impl FnOnce(&mut ToldPapers)) -> Result<(), RequestTrouble> {
    let _alone = saved::alone(site)?;
    let root = site.view().root();
    let mut told = ToldPapers::load(root)?;
    say(&mut told);
    told.fields.retain(|_, fields| *fields != Default::default());
    told.write(root).map_err(|error| RequestTrouble::Bad(error.0))?;
    saved::take_up(site, "the correction is saved; it counts after the next run of fyke")
}
