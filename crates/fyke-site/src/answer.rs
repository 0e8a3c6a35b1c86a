//! How every answer looks: pages with their frame, trouble as a page or as problem JSON (RFC 9457),
//! protective headers, and the few files of the site itself.

use super::{Site, turns};
use askama::Template;
use axum::extract::rejection::FormRejection;
use axum::extract::{Form, FromRequest, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use fyke_derive::whole::citations;
use fyke_lab::{collect, plot};
use fyke_stages::show;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::sync::Arc;

/// The longest text a request may ask with: that of a URL.
const LONGEST: usize = 2_048;

/// What the frame around every page shows.
#[derive(Debug)]
pub(crate) struct PageFrame {
    pub name: String,
    pub query: String,
    pub documents: String,
    /// It is collected by queries, or was.
    pub is_collected: bool,
    /// Whether papers are among them.
    pub has_papers: bool,
    /// Whether who looks may be who runs it.
    pub is_operators: bool,
}

impl PageFrame {
    pub(crate) fn of(site: &Site, query: &str) -> PageFrame {
        PageFrame {
            name: site.name.clone(),
            query: query.to_owned(),
            documents: show::count(site.index().len().unwrap_or_default()),
            is_collected: collect::folder(site.view().root()).is_dir(),
            is_operators: !site.is_for_visitors,
            has_papers: citations::count(&site.view().cells()).is_ok_and(|held| held > 0),
        }
    }
}

/// What stands behind the `?` of a request. Read leniently: what is missing is empty, what is no
/// number is none, what is too long is cut.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct SearchRequest(HashMap<String, String>);

impl SearchRequest {
    pub(crate) fn text(&self, name: &str) -> String {
        self.0.get(name).map_or_else(String::new, |text| text.chars().take(LONGEST).collect())
    }

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.0.get(name)?.trim().parse().ok()
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&self, name: &str) -> Option<f32> {
        let number: f32 = self.0.get(name)?.trim().parse().ok()?;
        (0.0..=1.0).contains(&number).then_some(number)
    }

    pub(crate) fn is_on(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| matches!(value.as_str(), "" | "1" | "true" | "on"))
    }
}

/// What a form sends. One that cannot be taken is answered with problem JSON: our own pages send none
/// such.
#[derive(Debug)]
pub(crate) struct Filled<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Filled<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Filled<T>, Response> {
        let form = Form::<T>::from_request(request, state).await;
        form.map(|Form(sent)| Filled(sent)).map_err(|why| RequestTrouble::Form(why).answer())
    }
}

/// Why a request cannot be answered.
#[derive(Debug)]
pub enum RequestTrouble {
    /// Nothing of that name.
    Missing(String),
    /// The request makes no sense.
    Bad(String),
    /// Not to be asked in this way.
    Method,
    /// Sent in a form that cannot be taken: too long, or no form at all.
    Form(FormRejection),
    /// Not from you.
    Forbidden(String),
    /// Not now.
    Busy(String),
    /// Meant for another site.
    Misdirected(String),
    /// Our own fault.
    Broken(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for RequestTrouble {
    fn from(error: E) -> RequestTrouble {
        RequestTrouble::Broken(error.into())
    }
}

#[derive(Template)]
#[template(path = "trouble.html")]
struct TroublePage {
    site: PageFrame,
    title: &'static str,
    detail: String,
}

/// A trouble as it is told.
struct ToldTrouble {
    status: StatusCode,
    title: &'static str,
    detail: String,
}

impl RequestTrouble {
    fn told(self) -> ToldTrouble {
        let (status, title) = self.status_and_title();
        let detail = match self {
            RequestTrouble::Missing(detail)
            | RequestTrouble::Bad(detail)
            | RequestTrouble::Forbidden(detail)
            | RequestTrouble::Busy(detail)
            | RequestTrouble::Misdirected(detail) => detail,
            RequestTrouble::Method => {
                "pages are read with GET or HEAD, orders sent with POST".to_owned()
            }
            RequestTrouble::Form(why) => why.body_text(),
            RequestTrouble::Broken(error) => {
                tracing::error!(error = format!("{error:#}"), "a request failed");
                format!("{error:#}")
            }
        };
        ToldTrouble { status, title, detail }
    }

    fn status_and_title(&self) -> (StatusCode, &'static str) {
        match self {
            RequestTrouble::Missing(_) => (StatusCode::NOT_FOUND, "Not here"),
            RequestTrouble::Bad(_) => (StatusCode::BAD_REQUEST, "Not understood"),
            RequestTrouble::Method => (StatusCode::METHOD_NOT_ALLOWED, "Not allowed"),
            RequestTrouble::Form(why) => (why.status(), "Not taken"),
            RequestTrouble::Forbidden(_) => (StatusCode::FORBIDDEN, "Not obeyed"),
            RequestTrouble::Busy(_) => (StatusCode::SERVICE_UNAVAILABLE, "Not now"),
            RequestTrouble::Misdirected(_) => (StatusCode::MISDIRECTED_REQUEST, "Another site"),
            RequestTrouble::Broken(_) => (StatusCode::INTERNAL_SERVER_ERROR, "Something broke"),
        }
    }

    /// As a page in the site's frame.
    pub fn page(self, site: &Site) -> Response {
        let ToldTrouble { status, title, detail } = self.told();
        let page = TroublePage { site: PageFrame::of(site, ""), title, detail };
        turns::later((status, render(&page)).into_response())
    }

    /// As problem JSON.
    pub fn answer(self) -> Response {
        let ToldTrouble { status, title, detail } = self.told();
        let problem = serde_json::json!({
            "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail,
        });
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        turns::later((status, kind, problem.to_string()).into_response())
    }
}

/// A template as a page.
pub(crate) fn render(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => RequestTrouble::from(error).answer(),
    }
}

/// Runs the reading of a page off the network threads: the index and the tables block.
pub(crate) async fn read<T: Send + 'static>(
    site: &Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, RequestTrouble> + Send + 'static,
) -> Result<T, RequestTrouble> {
    let place = turns::wait(&site.places).await?;
    let site = Arc::clone(site);
    let work = move || {
        // Held to the end, also when nobody waits for the answer any more.
        let _place = place;
        work(&site)
    };
    tokio::task::spawn_blocking(work).await?
}

/// A page or its trouble, in the site's frame.
pub(crate) async fn page<T: Template + Send + 'static>(
    site: Arc<Site>,
    work: impl FnOnce(&Site) -> Result<T, RequestTrouble> + Send + 'static,
) -> Response {
    match read(&site, work).await {
        Ok(template) => render(&template),
        Err(trouble) => trouble.page(&site),
    }
}

/// Gives one answer policies of its own.
pub(crate) fn allow<const N: usize>(
    response: &mut Response,
    policies: [(HeaderName, &'static str); N],
) {
    let policies = policies.map(|(name, value)| (name, HeaderValue::from_static(value)));
    response.headers_mut().extend(policies);
}

/// Pages may load nothing but our own sheet and script, and be framed by nobody. An answer that
/// has its own policies (the cached copy, the live crawl) keeps them.
pub(crate) fn protect(headers: &mut HeaderMap) {
    const PAGE: &str = "default-src 'none'; style-src 'self'; script-src 'self'; \
        connect-src 'self'; img-src 'self' data:; frame-src 'self'; form-action 'self'; \
        base-uri 'none'; frame-ancestors 'none'";
    let always = [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in always {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::REFERRER_POLICY).or_insert(HeaderValue::from_static("no-referrer"));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(PAGE));
}

pub(crate) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8")], sheet())
}

/// The sheet of every page, that of plots included.
pub fn sheet() -> String {
    [include_str!("../templates/style.css"), plot::STYLE].concat()
}

pub(crate) async fn site_script() -> impl IntoResponse {
    script(include_str!("../templates/site.js"))
}

pub(crate) async fn crawl_script() -> impl IntoResponse {
    script(include_str!("../templates/crawl.js"))
}

pub(crate) async fn lab_script() -> impl IntoResponse {
    script(include_str!("../templates/lab.js"))
}

fn script(text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/javascript; charset=utf-8")], text)
}

pub(crate) async fn icon() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml")], include_str!("../templates/icon.svg"))
}

/// The site's own address, as whoever asks calls it.
pub(crate) fn home(headers: &HeaderMap) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    format!("http://{}", host.unwrap_or("localhost"))
}

#[derive(Template)]
#[template(path = "opensearch.xml")]
struct OpenSearch {
    name: String,
    home: String,
}

/// The OpenSearch description: lets a browser add this site to its search engines.
pub(crate) async fn opensearch(State(site): State<Arc<Site>>, headers: HeaderMap) -> Response {
    let description = OpenSearch { name: site.name.clone(), home: home(&headers) };
    let kind = [(header::CONTENT_TYPE, "application/opensearchdescription+xml")];
    (kind, render(&description).into_body()).into_response()
}

/// A path nobody serves.
pub(crate) async fn missing(State(site): State<Arc<Site>>, uri: axum::http::Uri) -> Response {
    let trouble = RequestTrouble::Missing(format!("there is no page {}", uri.path()));
    if uri.path().starts_with("/api/") { trouble.answer() } else { trouble.page(&site) }
}

/// A method nobody serves.
pub(crate) async fn refused() -> Response {
    RequestTrouble::Method.answer()
}

/// The key of a document in a URL: its id in sixteen hexadecimal digits.
pub(crate) fn key(id: u64) -> String {
    format!("{id:016x}")
}

/// The id a key stands for.
pub(crate) fn id(key: &str) -> Result<fyke_web::UrlId, RequestTrouble> {
    let missing = || RequestTrouble::Missing(format!("there is no document {key}"));
    let plain = key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let id = u64::from_str_radix(key, 16).ok().filter(|_| plain);
    id.map(fyke_web::UrlId).ok_or_else(missing)
}
