//! Names to addresses (000 "DNS"): overrides first, then a cache by time to live with negative
//! answers, then the system's name servers, asynchronously, many look-ups at once. Addresses inside
//! private networks are refused, so that no link or redirect reaches inside.

use crate::fetch::{Address, Failed};
use fyke_store::Reason;
use fyke_web::Url;
use hickory_resolver::TokioResolver;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

const CACHE: usize = 100_000;
/// How long it is believed that a name has no address. A look-up that failed is not remembered at
/// all: the next try is a new chance.
const NEGATIVE_TTL: Duration = Duration::from_secs(60);
const SHORTEST_TTL: Duration = Duration::from_secs(30);
const LONGEST_TTL: Duration = Duration::from_secs(24 * 3600);
const LOOK_UP_TIME: Duration = Duration::from_secs(15);
/// Domains that never stand in the public name system (RFC 6761); only overrides serve them.
const SPECIAL: [&str; 3] = [".test", ".invalid", ".localhost"];

/// What a look-up gave, and until when it holds.
type Answer = (Result<Vec<IpAddr>, String>, Instant);

/// The resolver of one crawl.
#[derive(Debug)]
pub(crate) struct Resolver {
    hosts: Vec<(String, SocketAddr)>,
    allow_private: bool,
    cache: Mutex<HashMap<String, Answer>>,
    system: OnceLock<Result<TokioResolver, String>>,
}

impl Resolver {
    /// `hosts` are overrides: a name or "*.suffix", and where to connect to instead.
    pub(crate) fn new(hosts: Vec<(String, SocketAddr)>, allow_private: bool) -> Resolver {
        Resolver { hosts, allow_private, cache: Mutex::default(), system: OnceLock::new() }
    }

    /// The addresses of the URL's host.
    pub(crate) async fn resolve(&self, url: &Url) -> Result<Address, Failed> {
        let host = url.host();
        if let Some(socket) = self.overridden(host) {
            return Ok(Address { sockets: vec![socket], key: socket.ip(), ttl: LONGEST_TTL });
        }
        let (ips, ttl) = match literal(host) {
            Some(ip) => (vec![ip], LONGEST_TTL),
            None => self.look_up(host).await?,
        };
        let open = |ip: &IpAddr| self.allow_private || !is_private(*ip);
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

    /// The override for this name: the name itself, else the longest "*.suffix".
    fn overridden(&self, host: &str) -> Option<SocketAddr> {
        let wildcard =
            |pattern: &str| pattern.strip_prefix('*').is_some_and(|suffix| host.ends_with(suffix));
        let exact = self.hosts.iter().find(|(name, _)| name.eq_ignore_ascii_case(host));
        let longest =
            || self.hosts.iter().filter(|(p, _)| wildcard(p)).max_by_key(|(p, _)| p.len());
        exact.or_else(longest).map(|(_, socket)| *socket)
    }

    async fn look_up(&self, host: &str) -> Result<(Vec<IpAddr>, Duration), Failed> {
        let failed = |what: &str| Failed::of_host(Reason::Dns, what);
        if host == "localhost" {
            return Ok((vec![Ipv4Addr::LOCALHOST.into()], LONGEST_TTL));
        }
        if SPECIAL.iter().any(|suffix| host.ends_with(suffix)) {
            return Err(failed("a name for tests: only [fetch] hosts can give it an address"));
        }
        let (answer, until) = match self.cached(host) {
            Some(answer) => answer,
            None => self.ask(host).await,
        };
        let ttl = until.saturating_duration_since(Instant::now()).max(Duration::from_secs(1));
        answer.map(|ips| (ips, ttl)).map_err(|what| failed(&what))
    }

    fn cached(&self, host: &str) -> Option<Answer> {
        let cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.get(host).filter(|(_, until)| *until > Instant::now()).cloned()
    }

    /// Asks the name servers and remembers what they say.
    async fn ask(&self, host: &str) -> Answer {
        let start = Instant::now();
        let system = self.system.get_or_init(|| {
            TokioResolver::builder_tokio()
                .and_then(hickory_resolver::ResolverBuilder::build)
                .map_err(|e| format!("the system's resolver settings cannot be used: {e}"))
        });
        let answer = match system {
            Err(what) => (Err(what.clone()), start + NEGATIVE_TTL),
            Ok(resolver) => {
                let name = format!("{host}.");
                match tokio::time::timeout(LOOK_UP_TIME, resolver.lookup_ip(name)).await {
                    Ok(Ok(found)) => {
                        let ttl = found.valid_until().saturating_duration_since(start.into_std());
                        let until = start + ttl.clamp(SHORTEST_TTL, LONGEST_TTL);
                        (Ok(found.iter().take(8).collect()), until)
                    }
                    Ok(Err(error)) if error.is_no_records_found() => {
                        (Err(error.to_string()), start + NEGATIVE_TTL)
                    }
                    Ok(Err(error)) => (Err(error.to_string()), start),
                    Err(_) => (Err("the look-up timed out".to_owned()), start),
                }
            }
        };
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        if cache.len() >= CACHE {
            cache.clear();
        }
        cache.insert(host.to_owned(), answer.clone());
        answer
    }
}

/// The address a host is written as, if it is.
fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Whether an address lies inside: loopback, private, link-local, shared, reserved, multicast, and
/// the IPv6 forms that carry such an IPv4 address.
#[must_use]
pub fn is_private(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_private_v4(ip),
        IpAddr::V6(ip) => {
            let [a, b, c, d, e, f, g, h] = ip.segments();
            let embedded = |high: u16, low: u16| {
                is_private_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
            };
            match (a, b, c, d, e, f) {
                (0, 0, 0, 0, 0, 0xffff | 0) => ip == Ipv6Addr::LOCALHOST || embedded(g, h),
                (0, 0, 0, 0, 0xffff, 0) | (0x64, 0xff9b, 0, 0, 0, 0) => embedded(g, h),
                (0x64, 0xff9b, 1, ..) => true,
                (0x2002, high, low, ..) => embedded(high, low),
                _ => a & 0xfe00 == 0xfc00 || a >= 0xfe80,
            }
        }
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let special = a == 192 && b == 0 && c == 0 || a == 198 && (b == 18 || b == 19);
    let reserved = a == 0 || a >= 224;
    ip.is_loopback() || ip.is_private() || ip.is_link_local() || shared || special || reserved
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolver(allow_private: bool) -> Resolver {
        let socket = |text: &str| text.parse().expect("a socket address");
        let hosts = vec![
            ("*.test".to_owned(), socket("127.0.0.1:8400")),
            ("*.b.test".to_owned(), socket("127.0.0.2:8400")),
            ("x.b.test".to_owned(), socket("127.0.0.3:8400")),
        ];
        Resolver::new(hosts, allow_private)
    }

    #[tokio::test]
    async fn the_nearest_override_wins() {
        for (url, socket) in [
            ("http://a.test/", "127.0.0.1:8400"),
            ("http://y.b.test/", "127.0.0.2:8400"),
            ("http://x.b.test/", "127.0.0.3:8400"),
        ] {
            let found = resolver(false).resolve(&Url::parse(url).expect("a URL")).await;
            assert_eq!(found.expect("an address").sockets[0].to_string(), socket, "{url}");
        }
    }

    #[tokio::test]
    async fn private_literals_and_test_names_are_refused() {
        let rows = [
            ("http://127.0.0.1/", Reason::PrivateAddress),
            ("http://localhost:8080/", Reason::PrivateAddress),
            ("http://[::1]/", Reason::PrivateAddress),
            ("http://192.168.1.1/", Reason::PrivateAddress),
            ("http://nowhere.invalid/", Reason::Dns),
        ];
        for (url, reason) in rows {
            let url = Url::parse(url).expect("a URL");
            let found = resolver(false).resolve(&url).await.expect_err("refused");
            assert_eq!(found.reason, reason, "{}", url.as_str());
            let allowed = resolver(true).resolve(&url).await.is_ok();
            assert_eq!(allowed, reason == Reason::PrivateAddress, "{}", url.as_str());
        }
    }

    #[test]
    fn private_addresses_are_known_in_every_form() {
        let check = |ip: &str, private| {
            assert_eq!(is_private(ip.parse().expect("an address")), private, "{ip}");
        };
        for ip in ["10.0.0.1", "172.16.0.1", "169.254.1.1", "100.64.0.1", "0.0.0.0", "224.0.0.1"] {
            check(ip, true);
        }
        for ip in ["::", "::1", "::ffff:10.0.0.1", "fd00::1", "fe80::1", "ff02::1"] {
            check(ip, true);
        }
        for ip in ["64:ff9b::a00:1", "2002:a00:1::", "192.0.0.1", "198.18.0.1", "255.255.255.255"] {
            check(ip, true);
        }
        for ip in ["fec0::1", "feff::1", "64:ff9b:1::101:101", "::ffff:0:10.0.0.1"] {
            check(ip, true);
        }
        for ip in ["::ffff:0:1.1.1.1", "::ffff:1.1.1.1"] {
            check(ip, false);
        }
        for ip in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1", "64:ff9b::101:101"] {
            check(ip, false);
        }
    }
}
