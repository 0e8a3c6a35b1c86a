//! The topics page: the tree with its documents, and of one topic its keywords, typical words, samples and
//! what it is confused with. Other keywords can be tried, which shows what would move, and saved.

mod edit;
mod shown;

use super::answer::{self, PageFrame, RequestTrouble, SearchRequest};
use super::crawl::LIVE;
use super::{Service, Site, api};
use askama::Template;
use axum::Router;
use axum::extract::{DefaultBodyLimit, Query as Behind, State};
use axum::response::Response;
use axum::routing::{get, post};
use fyke_stages::moments;
use fyke_stages::topics::{self, Preview, TopicTreeFigures};
use shown::{Chosen, TopicTreeRow};
use std::sync::Arc;

/// Bytes of the longest form: all keywords of a topic, escaped.
const LONGEST: usize = 32 << 10;

#[derive(Template)]
#[template(path = "topics.html")]
struct TopicsPage {
    site: PageFrame,
    /// How and from what it was learnt; empty where nothing was.
    learnt: String,
    rows: Vec<TopicTreeRow>,
    without: TopicTreeRow,
    chosen: Option<Chosen>,
    /// What a form must carry to be taken; empty where none are taken.
    token: String,
    preview: Option<Preview>,
    is_saved: bool,
}

pub(crate) fn routes() -> Router<Service> {
    let taken = post(edit::take).layer(DefaultBodyLimit::max(LONGEST));
    Router::new().route("/topics", get(page)).route("/topics/{what}", taken)
}

async fn page(State(site): State<Arc<Site>>, Behind(asked): Behind<SearchRequest>) -> Response {
    respond(site, move |site| page_of(site, &asked.text("topic"), asked.is_on("saved"))).await
}

/// A page with forms.
async fn respond(
    site: Arc<Site>,
    work: impl FnOnce(&Site) -> Result<TopicsPage, RequestTrouble> + Send + 'static,
) -> Response {
    let mut response = answer::page(site, work).await;
    answer::allow(&mut response, LIVE);
    response
}

fn page_of(site: &Site, topic: &str, is_saved: bool) -> Result<TopicsPage, RequestTrouble> {
    let figures = topics::figures(site.view())?;
    let token = site.lab.own_token().unwrap_or_default().to_owned();
    let frame = PageFrame::of(site, "");
    let Some(figures) = figures else {
        let (rows, without) = (Vec::new(), TopicTreeRow::default());
        let (learnt, chosen) = (String::new(), None);
        return Ok(TopicsPage {
            site: frame,
            learnt,
            rows,
            without,
            chosen,
            token,
            preview: None,
            is_saved,
        });
    };
    let chosen = match topic {
        "" => None,
        name => Some(Chosen::of(find(&figures, name)?)),
    };
    Ok(TopicsPage {
        site: frame,
        learnt: shown::learnt(&figures),
        rows: figures
            .topics
            .iter()
            .map(|topic| TopicTreeRow::of(topic, figures.documents))
            .collect(),
        without: TopicTreeRow::without(&figures),
        chosen,
        token,
        preview: None,
        is_saved,
    })
}

fn find<'a>(
    figures: &'a TopicTreeFigures,
    name: &str,
) -> Result<&'a topics::TopicFigures, RequestTrouble> {
    let found = figures.topics.iter().find(|topic| topic.name == name);
    found.ok_or_else(|| RequestTrouble::Missing(format!("there is no topic {name}")))
}

/// The figures, for programs; of nothing where nothing was learnt.
pub(crate) async fn all(State(site): State<Arc<Site>>) -> Response {
    api::respond(&site, |site| {
        let figures = topics::figures(site.view())?.unwrap_or_default();
        let value = serde_json::to_value(figures).map_err(anyhow::Error::from)?;
        Ok(moments::written(value, "trained"))
    })
    .await
}
