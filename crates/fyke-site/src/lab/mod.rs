//! The lab's pages: what is judged and by whom, judging itself, disagreements, comparison of runs,
//! experiments, sizes of engines. All of it is read from `judgements/`, `searches/` and `size/` when it is asked for, so that judges, the command line and several
//! processes may work at once.

pub(crate) mod api;
mod compare;
mod disagreements;
mod document;
mod experiments;
mod figures;
mod judge;
mod overview;
mod size;
mod take;

use super::answer::{self, RequestTrouble};
use super::crawl::LIVE;
use super::{Service, Site, live};
use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::response::Response;
use axum::routing::{get, post};
use fyke_lab::judging::Judging;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of the longest judgement: a URL and a note, escaped.
const LONGEST: usize = 32 << 10;

/// What the pages are made from.
#[derive(Debug)]
pub struct Lab {
    judging: Mutex<Judging>,
    /// Judgements are taken from other machines as well.
    pub is_open: bool,
    /// What a judgement must carry to be taken; none where none are taken.
    token: Option<String>,
    asked: Mutex<Option<figures::IndexAnswers>>,
    agreed: Mutex<Option<compare::KnownAgreement>>,
}

impl Lab {
    /// The lab of a collection's folder.
    ///
    /// # Errors
    /// When its judgements cannot be read.
    pub fn open(root: &Path) -> anyhow::Result<Lab> {
        let judging = Mutex::new(Judging::open(root)?);
        let (asked, agreed) = (Mutex::default(), Mutex::default());
        Ok(Lab { judging, is_open: false, token: None, asked, agreed })
    }

    /// Takes judgements from now on, if this machine alone can send some or everybody may.
    ///
    /// # Errors
    /// When the system gives no random bytes.
    pub fn admit(&mut self, loopback: bool) -> anyhow::Result<()> {
        if loopback || self.is_open {
            self.token = Some(live::token()?);
        }
        Ok(())
    }

    /// What forms of this site must carry, where only this machine can send some.
    pub(crate) fn own_token(&self) -> Option<&str> {
        self.token.as_deref().filter(|_| !self.is_open)
    }

    /// The judgements as they stand now.
    fn judging(&self) -> Result<MutexGuard<'_, Judging>, RequestTrouble> {
        let mut judging = self.judging.lock().unwrap_or_else(PoisonError::into_inner);
        judging.refresh()?;
        Ok(judging)
    }
}

pub(crate) fn routes() -> Router<Service> {
    let taken = |handler| -> axum::routing::MethodRouter<Service> {
        post(handler).layer(DefaultBodyLimit::max(LONGEST))
    };
    Router::new()
        .route("/lab", get(overview::page))
        .route("/lab/judge", get(judge::page))
        .route("/lab/disagreements", get(disagreements::page))
        .route("/lab/compare", get(compare::page))
        .route("/lab/agreement", get(compare::agreement_page))
        .route("/lab/experiments", get(experiments::page))
        .route("/lab/size", get(size::page))
        .route("/lab/take/{what}", taken(take::take))
}

/// A page with forms and our own script: as the live page of a crawl has them.
async fn page<T: Template + Send + 'static>(
    site: Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, RequestTrouble> + Send + 'static,
) -> Response {
    let mut response = answer::page(site, work).await;
    answer::allow(&mut response, LIVE);
    response
}
