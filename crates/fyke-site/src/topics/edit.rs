//! Other keywords for a topic: tried, which changes nothing, or saved into `topics.toml`. Taken only from our
//! own page (same origin, and a token that only it knows), and never on a site that is open to others.

use super::{TopicsPage, page_of};
use crate::Site;
use crate::answer::{self, Filled, RequestTrouble};
use crate::orders::is_ours;
use crate::saved;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect, Response};
use fyke_stages::config::{TOPICS_FILE, outline_text, parse_outline, with_keywords};
use fyke_stages::topics::preview;
use fyke_store::archive::escaped;
use serde::Deserialize;
use std::io::Write;
use std::sync::Arc;

/// What the form says.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SentKeywords {
    token: String,
    topic: String,
    /// Separated by commas or line ends.
    keywords: String,
}

impl SentKeywords {
    fn words(&self) -> Vec<String> {
        let words = self.keywords.split([',', '\n', '\r']).map(str::trim);
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }
}

/// Takes a form: `preview` or `save`.
pub(crate) async fn take(
    State(site): State<Arc<Site>>,
    Path(what): Path<String>,
    headers: HeaderMap,
    Filled(sent): Filled<SentKeywords>,
) -> Response {
    if let Err(trouble) = check(&site, &headers, &sent) {
        return trouble.page(&site);
    }
    match what.as_str() {
        "preview" => super::respond(site, move |site| try_out(site, &sent)).await,
        "save" => {
            let saved = answer::read(&site, move |site| save(site, &sent)).await;
            saved.map_or_else(|trouble| trouble.page(&site), |to| Redirect::to(&to).into_response())
        }
        _ => RequestTrouble::Missing(format!("there is no form {what}")).page(&site),
    }
}

fn check(site: &Site, headers: &HeaderMap, sent: &SentKeywords) -> Result<(), RequestTrouble> {
    let open = "this site is open to other machines: its topics are changed in topics.toml";
    let elsewhere = "keywords are taken only from the page of topics";
    is_ours(site.lab.own_token(), (headers, &sent.token), [open, elsewhere])
}

/// The file as it is, and as it would be.
fn texts(site: &Site, sent: &SentKeywords) -> Result<(String, String), RequestTrouble> {
    let root = site.view().root().to_owned();
    let before = outline_text(&root)?;
    let before =
        before.ok_or_else(|| RequestTrouble::Missing(format!("there is no {TOPICS_FILE}")))?;
    let is_known = parse_outline(&before)?.names.contains(&sent.topic);
    if !is_known {
        return Err(RequestTrouble::Missing(format!("there is no topic {}", sent.topic)));
    }
    let after = with_keywords(&before, &sent.topic, &sent.words());
    Ok((before, after.map_err(|error| RequestTrouble::Bad(error.0))?))
}

fn try_out(site: &Site, sent: &SentKeywords) -> Result<TopicsPage, RequestTrouble> {
    let _alone = saved::alone(site)?;
    let (before, after) = texts(site, sent)?;
    let (before, after) = (parse_outline(&before)?, parse_outline(&after)?);
    let preview = preview(site.view(), &before, &after)?;
    let mut page = page_of(site, &sent.topic, false)?;
    if let Some(chosen) = &mut page.chosen {
        chosen.list = sent.words().join(", ");
    }
    page.preview = Some(preview);
    Ok(page)
}

/// Writes the file and learns anew; gives the page to go to.
fn save(site: &Site, sent: &SentKeywords) -> Result<String, RequestTrouble> {
    let _alone = saved::alone(site)?;
    let (_, after) = texts(site, sent)?;
    let root = site.view().root();
    let mut file = tempfile::NamedTempFile::new_in(root)?;
    file.write_all(after.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(root.join(TOPICS_FILE))?;
    saved::take_up(site, "the keywords are saved; they count after the next fyke topics train")?;
    Ok(format!("/topics?saved=1&topic={}", escaped(sent.topic.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_separated_by_commas_and_line_ends() {
        let sent = SentKeywords {
            keywords: " orbit, space shuttle\r\n,\nnasa ".to_owned(),
            ..SentKeywords::default()
        };
        assert_eq!(sent.words(), ["orbit", "space shuttle", "nasa"]);
    }
}
