//! Orders to the crawl: pause, resume, stop, ban a host. Plain forms, obeyed only when they come from
//! our own page: same origin, and with a token that only this page knows.

use super::Site;
use super::answer::{Filled, RequestTrouble};
use super::beside::CrawlOrder;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, header};
use axum::response::{IntoResponse, Redirect, Response};
use fyke_crawl::Control;
use fyke_web::Url;
use serde::Deserialize;
use std::sync::Arc;

/// What an order says.
#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    #[serde(default)]
    token: String,
    #[serde(default)]
    host: String,
}

type OrderRunner = fn(&Control, &CrawlOrder) -> Result<(), RequestTrouble>;

/// Every order by the last part of its path.
const ORDERS: &[(&str, OrderRunner)] = &[
    ("pause", |control, _| {
        control.set_paused(true);
        Ok(())
    }),
    ("resume", |control, _| {
        control.set_paused(false);
        Ok(())
    }),
    ("stop", |control, _| {
        control.stop();
        Ok(())
    }),
    ("ban", ban),
];

fn ban(control: &Control, order: &CrawlOrder) -> Result<(), RequestTrouble> {
    let known =
        Url::parse(&format!("http://{}/", order.host)).map(|url| url.authority().to_owned());
    match known {
        Ok(authority) if authority == order.host => {
            control.ban(&authority);
            Ok(())
        }
        _ => Err(RequestTrouble::Bad(format!("{:?} is no name of a host", order.host))),
    }
}

/// Whether a form comes from our own page, with the token that only it knows; else what to say: first where
/// no token is given out, then where it comes from elsewhere.
pub(crate) fn is_ours(
    token: Option<&str>,
    (headers, sent): (&HeaderMap, &str),
    [open, elsewhere]: [&str; 2],
) -> Result<(), RequestTrouble> {
    let forbidden = |what: &str| Err(RequestTrouble::Forbidden(what.to_owned()));
    let Some(token) = token else { return forbidden(open) };
    if !is_same_origin(headers) {
        return forbidden(elsewhere);
    }
    if !is_same(token, sent) {
        return forbidden("this page is from before the site was started anew; load it again");
    }
    Ok(())
}

/// Takes an order and goes back to the crawl's page.
pub(crate) async fn take(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    Filled(order): Filled<Order>,
) -> Response {
    match obey(&site, &name, &headers, &order) {
        Ok(()) => Redirect::to("/crawl").into_response(),
        Err(trouble) => trouble.page(&site),
    }
}

fn obey(site: &Site, name: &str, headers: &HeaderMap, order: &Order) -> Result<(), RequestTrouble> {
    if site.told().is_none() {
        return Err(RequestTrouble::Missing("no crawl runs".to_owned()));
    }
    let open = "this site is open to other machines: it shows the crawl and takes no orders";
    let elsewhere = "orders are taken only from the crawl's own page";
    is_ours(site.order_token(), (headers, &order.token), [open, elsewhere])?;
    let sent = CrawlOrder { name: name.to_owned(), host: order.host.clone() };
    check(&sent)?;
    site.order(&sent)
}

/// Whether an order makes sense.
fn check(sent: &CrawlOrder) -> Result<(), RequestTrouble> {
    obeyed(&Control::new(), sent)
}

/// Has a crawl of this process obey.
///
/// # Errors
/// When there is no such order, or it makes no sense.
pub(crate) fn obeyed(control: &Control, sent: &CrawlOrder) -> Result<(), RequestTrouble> {
    let row = ORDERS.iter().find(|(known, _)| *known == sent.name);
    let missing = || RequestTrouble::Missing("there is no such order to a crawl".to_owned());
    let (_, action) = row.ok_or_else(missing)?;
    action(control, sent)
}

/// Whether a browser says that this came from our own page. Programs say nothing: they have the
/// token or not.
fn is_same_origin(headers: &HeaderMap) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let origin = text(header::ORIGIN);
    site.is_none_or(|site| site == "same-origin")
        && origin.is_none_or(|origin| origin.strip_prefix("http://") == Some(host))
}

/// Compares in a time that does not tell where two texts differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_page_may_send_orders() {
        let check = |pairs: &[(&'static str, &'static str)], expected: bool| {
            let pair = |&(name, value): &(&'static str, &'static str)| {
                (HeaderName::from_static(name), value.parse().unwrap())
            };
            let headers: HeaderMap = pairs.iter().map(pair).collect();
            assert_eq!(is_same_origin(&headers), expected, "{pairs:?}");
        };
        let (host, ours) = (("host", "localhost:7700"), ("origin", "http://localhost:7700"));
        check(&[host], true);
        check(&[host, ours, ("sec-fetch-site", "same-origin")], true);
        check(&[host, ours, ("sec-fetch-site", "same-site")], false);
        check(&[host, ("sec-fetch-site", "cross-site")], false);
        for origin in ["null", "http://localhost:80", "https://localhost:7700", "http://evil.test"]
        {
            check(&[host, ("origin", origin)], false);
        }
        check(&[ours], false);
    }

    #[test]
    fn a_ban_takes_names_of_hosts_and_nothing_else() {
        for (host, expected) in [
            ("a.test", true),
            ("a.test:8080", true),
            ("", false),
            ("a.test/x", false),
            ("A b", false),
        ] {
            let order = CrawlOrder { name: "ban".to_owned(), host: host.to_owned() };
            assert_eq!(ban(&Control::new(), &order).is_ok(), expected, "{host}");
        }
    }

    #[test]
    fn a_token_is_the_same_only_when_it_is() {
        assert!(is_same("ab12", "ab12"));
        assert!(!is_same("ab12", "ab13") && !is_same("ab12", "") && !is_same("ab12", "ab1"));
    }
}
