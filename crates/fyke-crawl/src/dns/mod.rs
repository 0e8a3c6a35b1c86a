//! Names to addresses (000 "DNS"): overrides first, then literals, then the name servers, through a
//! cache. Addresses inside private networks are refused, so that no link or redirect reaches inside.

mod names;
mod private;

use crate::fetch::{Address, Failed};
use crate::http::HttpOptions;
use crate::politeness::is_loopback;
use fyke_store::Reason;
use fyke_web::Url;
use names::KnownNames;
pub use private::{Private, is_private};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long an address that is written down is believed.
const WRITTEN_TTL: Duration = Duration::from_secs(24 * 3600);
/// How long a name is left to a proxy before it is looked up again.
const UNKNOWN_TTL: Duration = Duration::from_secs(600);
/// How long a proxy waits for a look-up that it does not need.
const PATIENCE: Duration = Duration::from_secs(2);
/// Domains that never stand in the public name system (RFC 6761); only overrides serve them.
const SPECIAL: [&str; 3] = [".test", ".invalid", ".localhost"];

/// The resolver of one crawl.
#[derive(Debug)]
pub(crate) struct Resolver {
    hosts: Vec<(String, SocketAddr)>,
    private: Private,
    /// No contact is told: only this machine may be asked.
    is_anonymous: bool,
    names: Arc<KnownNames>,
}

impl Resolver {
    pub(crate) fn new(options: HttpOptions) -> Resolver {
        let names = Arc::new(KnownNames::new(options.name_servers, options.look_ups));
        let (private, is_anonymous) = (options.private, options.is_anonymous);
        Resolver { hosts: options.hosts, private, is_anonymous, names }
    }

    /// The addresses of the URL's host.
    pub(crate) async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        self.unless_anonymous(url, self.look_up(url).await?)
    }

    /// Who runs a site must be able to reach whoever asks it for pages.
    fn unless_anonymous(&self, url: &Url, address: Address) -> Result<Address, Failed> {
        if self.is_anonymous && !is_loopback(address.key) {
            let what = format!("{} is not on this machine: set a contact", url.host());
            return Err(Failed::of_page(Reason::Contact, what));
        }
        Ok(address)
    }

    async fn look_up(&self, url: &Url) -> Result<Address, Failed> {
        let host = bare(url);
        if let Some(socket) = self.overridden(host) {
            return Ok(Address { sockets: vec![socket], key: socket.ip(), ttl: WRITTEN_TTL });
        }
        let (ips, ttl) = self.addresses(host).await?;
        let open = |ip: &IpAddr| self.private.admits(*ip);
        let sockets: Vec<SocketAddr> =
            ips.iter().copied().filter(open).map(|ip| SocketAddr::new(ip, url.port())).collect();
        match (sockets.first(), ips.first()) {
            (Some(first), _) => Ok(Address { key: first.ip(), sockets, ttl }),
            (None, Some(ip)) => Err(Failed::of_page(
                Reason::PrivateAddress,
                format!("{host} is {ip}, an address of a private network"),
            )),
            (None, None) => Err(Failed::of_host(Reason::Dns, format!("{host} has no address"))),
        }
    }

    /// Where to connect to for a URL that a proxy serves: the proxy, if the URL's own host may be
    /// reached. A host that cannot be looked up here is left to the proxy, unless its name alone
    /// tells that it is inside; politeness counts it as an address of its own.
    pub(crate) async fn resolve_behind(
        &self,
        url: &Url,
        (proxy, port): (&str, u16),
    ) -> Result<Address, Failed> {
        let host = bare(url);
        let target = match timeout(PATIENCE, self.look_up(url)).await {
            Ok(Err(failed)) if failed.reason == Reason::PrivateAddress => return Err(failed),
            Ok(Ok(address)) => Some(address),
            Ok(Err(_)) | Err(_) => None,
        };
        if target.is_none() && self.private != Private::Open && private::is_inside_name(host) {
            let what = format!("{host} is a name of a private network");
            return Err(Failed::of_page(Reason::PrivateAddress, what));
        }
        let (key, ttl) = target.map_or((stand_in(host), UNKNOWN_TTL), |a| (a.key, a.ttl));
        let (ips, proxy_ttl) = self.addresses(proxy).await.map_err(|failed| Failed {
            detail: format!("the proxy {proxy}: {}", failed.detail),
            ..failed
        })?;
        let sockets = ips.into_iter().map(|ip| SocketAddr::new(ip, port)).collect();
        self.unless_anonymous(url, Address { sockets, key, ttl: ttl.min(proxy_ttl) })
    }

    /// Looks the URL's host up in the background, if it needs that and there is room.
    pub(crate) fn prefetch(&self, url: &Url) {
        let host = bare(url);
        if self.overridden(host).is_none() && literal(host).is_none() && !is_special(host) {
            self.names.prefetch(host);
        }
    }

    pub(crate) fn is_overridden(&self, url: &Url) -> bool {
        self.overridden(bare(url)).is_some()
    }

    /// The override for this name: the name itself, else the longest "*.suffix".
    fn overridden(&self, host: &str) -> Option<SocketAddr> {
        let wildcard =
            |pattern: &str| pattern.strip_prefix('*').is_some_and(|suffix| host.ends_with(suffix));
        let exact = self.hosts.iter().find(|(name, _)| name.eq_ignore_ascii_case(host));
        let longest =
            || self.hosts.iter().filter(|(p, _)| wildcard(p)).max_by_key(|(p, _)| p.len());
        exact.or_else(longest).map(|(_, socket)| *socket)
    }

    async fn addresses(&self, host: &str) -> Result<(Vec<IpAddr>, Duration), Failed> {
        let failed = |what: &str| Failed::of_host(Reason::Dns, what);
        if let Some(ip) = literal(host) {
            return Ok((vec![ip], WRITTEN_TTL));
        }
        if host == "localhost" {
            return Ok((vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()], WRITTEN_TTL));
        }
        if is_special(host) {
            return Err(failed("a name for tests: only [fetch] hosts can give it an address"));
        }
        let (answer, until) = self.names.look_up(host).await;
        let ttl = until.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
        answer.map(|ips| (ips, ttl)).map_err(|what| failed(&what))
    }
}

/// The URL's host without the dot that ends a full name.
fn bare(url: &Url) -> &str {
    url.host().trim_end_matches('.')
}

fn is_special(host: &str) -> bool {
    host == "localhost" || SPECIAL.iter().any(|suffix| host.ends_with(suffix))
}

/// The address a host is written as, if it is.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// An address for a host that has none here: of the prefix for what is thrown away (RFC 6666), which
/// no server has, with a hash of the name.
fn stand_in(host: &str) -> IpAddr {
    let mut hasher = DefaultHasher::new();
    host.hash(&mut hasher);
    Ipv6Addr::from_bits((0x100_u128 << 112) | u128::from(hasher.finish())).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::HttpOptions;

    fn resolver(private: Private) -> Resolver {
        let socket = |text: &str| text.parse().expect("a socket address");
        let hosts = vec![
            ("*.test".to_owned(), socket("127.0.0.1:8400")),
            ("*.b.test".to_owned(), socket("127.0.0.2:8400")),
            ("x.b.test".to_owned(), socket("127.0.0.3:8400")),
        ];
        Resolver::new(HttpOptions { hosts, private, ..HttpOptions::default() })
    }

    #[tokio::test]
    async fn the_nearest_override_wins() {
        for (url, socket) in [
            ("http://a.test/", "127.0.0.1:8400"),
            ("http://y.b.test/", "127.0.0.2:8400"),
            ("http://x.b.test/", "127.0.0.3:8400"),
        ] {
            let found = resolver(Private::Refused).resolve(&Url::parse(url).expect("a URL")).await;
            assert_eq!(found.expect("an address").sockets[0].to_string(), socket, "{url}");
        }
    }

    #[tokio::test]
    async fn without_a_contact_only_this_machine_is_asked() {
        let check = async |url: &str, expected: Result<(), Reason>| {
            let address = Url::parse(url).expect("a URL");
            let anonymous = Resolver { is_anonymous: true, ..resolver(Private::Loopback) };
            let found = anonymous.resolve(&address).await.map(drop);
            assert_eq!(found.map_err(|failed| failed.reason), expected, "{url}");
            let behind = anonymous.resolve_behind(&address, ("127.0.0.9", 81)).await.map(drop);
            assert_eq!(behind.map_err(|failed| failed.reason), expected, "{url} by proxy");
        };
        check("http://a.test/", Ok(())).await;
        check("http://127.0.0.7/", Ok(())).await;
        check("http://localhost/", Ok(())).await;
        check("http://8.8.8.8/", Err(Reason::Contact)).await;
        check("http://10.0.0.1/", Err(Reason::PrivateAddress)).await;
    }

    #[tokio::test]
    async fn behind_a_proxy_what_is_inside_stays_refused_and_unknown_names_count_alone() {
        let check = async |url: &str, private, expected: Result<&str, Reason>| {
            let address = Url::parse(url).expect("a URL");
            let behind = resolver(private).resolve_behind(&address, ("127.0.0.9", 81)).await;
            let socket = behind.as_ref().map(|address| address.sockets[0].to_string());
            let found = socket.as_deref().map_err(|failed| failed.reason);
            assert_eq!(found, expected, "{url}");
            behind
        };
        let proxy = Ok("127.0.0.9:81");
        check("http://10.0.0.1/", Private::Refused, Err(Reason::PrivateAddress)).await.ok();
        check("http://localhost/", Private::Refused, Err(Reason::PrivateAddress)).await.ok();
        check("http://x.localhost/", Private::Refused, Err(Reason::PrivateAddress)).await.ok();
        check("http://x.localhost/", Private::Open, proxy).await.ok();
        check("http://10.0.0.1/", Private::Open, proxy).await.ok();
        let one = check("http://a.invalid/", Private::Refused, proxy).await.expect("an address");
        let other = check("http://b.invalid/", Private::Refused, proxy).await.expect("an address");
        assert_ne!(one.key, other.key);
        let literal = check("http://1.1.1.1/", Private::Refused, proxy).await.expect("an address");
        assert_eq!(literal.key.to_string(), "1.1.1.1");
    }

    #[tokio::test]
    async fn private_literals_and_test_names_are_refused() {
        let rows = [
            ("http://127.0.0.1/", Reason::PrivateAddress),
            ("http://localhost:8080/", Reason::PrivateAddress),
            ("http://[::1]/", Reason::PrivateAddress),
            ("http://[::ffff:10.0.0.1]/", Reason::PrivateAddress),
            ("http://localhost./", Reason::PrivateAddress),
            ("http://0x7f.1/", Reason::PrivateAddress),
            ("http://192.168.1.1/", Reason::PrivateAddress),
            ("http://nowhere.invalid/", Reason::Dns),
        ];
        for (url, reason) in rows {
            let url = Url::parse(url).expect("a URL");
            let found = resolver(Private::Refused).resolve(&url).await.expect_err("refused");
            assert_eq!(found.reason, reason, "{}", url.as_str());
            let allowed = resolver(Private::Open).resolve(&url).await.is_ok();
            assert_eq!(allowed, reason == Reason::PrivateAddress, "{}", url.as_str());
        }
    }
}
