//! Look-ups of names: remembered by time to live, negative answers too; many in flight, up to a
//! bound; those for one name joined.

use hickory_resolver::TokioResolver;
use hickory_resolver::config::{LookupIpStrategy, NameServerConfig, ResolverConfig};
use hickory_resolver::net::runtime::TokioRuntimeProvider;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::op::ResponseCode;
use std::collections::HashMap;
use std::mem;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::{OnceCell, Semaphore};
use tokio::time::{Instant, timeout};

/// Names in one of the cache's two generations.
const GENERATION: usize = 50_000;
/// How long it is believed that a name has no address, at least and at most. A look-up that failed is
/// not remembered at all: the next try is a new chance.
const NEGATIVE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(3600));
const POSITIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(24 * 3600));
const LOOK_UP_TIME: Duration = Duration::from_secs(15);
const MOST_ADDRESSES: usize = 8;

const SILENT: &str = "the name servers did not answer in time";

/// What a look-up gave, and until when it holds.
pub(super) type Resolved = (Result<Vec<IpAddr>, String>, Instant);

/// An answer that is there or on its way.
type NameSlot = Arc<OnceCell<Resolved>>;

/// The names known, and the servers to ask for others.
#[derive(Debug)]
pub(super) struct KnownNames {
    servers: Vec<SocketAddr>,
    resolver: OnceLock<Result<TokioResolver, String>>,
    cache: Mutex<Generations>,
    in_flight: Semaphore,
    most: usize,
    /// Look-ups ahead take at most half of the room: those that somebody waits for come first.
    ahead: Arc<Semaphore>,
}

/// A cache that forgets what was not asked for since the last time it was full.
#[derive(Debug, Default)]
struct Generations {
    young: HashMap<String, NameSlot>,
    old: HashMap<String, NameSlot>,
}

impl KnownNames {
    /// The system's name servers are asked where none is named.
    pub(super) fn new(servers: Vec<SocketAddr>, look_ups: usize) -> KnownNames {
        let most = look_ups.clamp(2, Semaphore::MAX_PERMITS);
        KnownNames {
            servers,
            resolver: OnceLock::new(),
            cache: Mutex::default(),
            in_flight: Semaphore::new(most),
            most,
            ahead: Arc::new(Semaphore::new(most / 2)),
        }
    }

    /// What is known of a name, or what the name servers say. Whoever asks for a name that is on its
    /// way waits for the same answer.
    pub(super) async fn look_up(&self, host: &str) -> Resolved {
        let slot = self.slot(host);
        slot.get_or_init(|| self.ask(host)).await.clone()
    }

    /// Looks a name up in the background, if there is room for that.
    pub(super) fn prefetch(self: &Arc<KnownNames>, host: &str) {
        let slot = self.slot(host);
        let Ok(permit) = Arc::clone(&self.ahead).try_acquire_owned() else { return };
        if slot.initialized() {
            return;
        }
        let (names, host) = (Arc::clone(self), host.to_owned());
        tokio::spawn(async move {
            slot.get_or_init(|| names.ask(&host)).await;
            drop(permit);
        });
    }

    fn slot(&self, host: &str) -> NameSlot {
        let now = Instant::now();
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let holds = |slot: &NameSlot| slot.get().is_none_or(|(_, until)| *until > now);
        if let Some(slot) = cache.young.get(host).filter(|slot| holds(slot)) {
            return Arc::clone(slot);
        }
        let slot = cache.old.remove(host).filter(holds).unwrap_or_default();
        if cache.young.len() >= GENERATION {
            cache.old = mem::take(&mut cache.young);
        }
        cache.young.insert(host.to_owned(), Arc::clone(&slot));
        slot
    }

    async fn ask(&self, host: &str) -> Resolved {
        let resolver = match self.resolver.get_or_init(|| self.build()) {
            Ok(resolver) => resolver,
            Err(what) => return (Err(what.clone()), Instant::now() + NEGATIVE.0),
        };
        let permit = self.in_flight.acquire().await;
        let start = Instant::now();
        let found = timeout(LOOK_UP_TIME, resolver.lookup_ip(format!("{host}."))).await;
        drop(permit);
        match found {
            Ok(Ok(found)) => {
                let ttl = found.valid_until().saturating_duration_since(start.into_std());
                let until = start + ttl.clamp(POSITIVE.0, POSITIVE.1);
                (Ok(in_turns(&found.iter().collect::<Vec<_>>())), until)
            }
            Ok(Err(error)) => (Err(in_words(host, &error)), start + negative_ttl(&error)),
            Err(_) => (Err(SILENT.to_owned()), start),
        }
    }

    fn build(&self) -> Result<TokioResolver, String> {
        let unusable = |e: NetError| format!("the system's resolver settings cannot be used: {e}");
        let mut builder = if self.servers.is_empty() {
            TokioResolver::builder_tokio().map_err(unusable)?
        } else {
            let servers = self.servers.iter().copied().map(name_server).collect();
            let config = ResolverConfig::from_name_servers(servers);
            TokioResolver::builder_with_config(config, TokioRuntimeProvider::default())
        };
        let options = builder.options_mut();
        options.ip_strategy = LookupIpStrategy::Ipv4AndIpv6;
        // The answers are remembered here, once.
        options.cache_size = 0;
        // Each look-up asks for both families.
        options.max_active_requests = 2 * self.most;
        builder.build().map_err(unusable)
    }
}

fn name_server(socket: SocketAddr) -> NameServerConfig {
    let mut server = NameServerConfig::udp_and_tcp(socket.ip());
    for connection in &mut server.connections {
        connection.port = socket.port();
    }
    server
}

/// How long it is believed that there is nothing, by the zone's own word; not at all for an error.
fn negative_ttl(error: &NetError) -> Duration {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(nothing)) => {
            let ttl = Duration::from_secs(nothing.negative_ttl.unwrap_or(0).into());
            ttl.clamp(NEGATIVE.0, NEGATIVE.1)
        }
        _ => Duration::ZERO,
    }
}

/// Why a look-up gave nothing, for people: the resolver's own words are those of its code.
fn in_words(host: &str, error: &NetError) -> String {
    match error {
        NetError::Dns(DnsError::NoRecordsFound(nothing)) => match nothing.response_code {
            ResponseCode::NXDomain => format!("{host} does not exist"),
            _ => format!("{host} has no address"),
        },
        NetError::Dns(DnsError::ResponseCode(code)) => {
            format!("the name servers could not say where {host} is: {code}")
        }
        NetError::Timeout => SILENT.to_owned(),
        NetError::NoConnections => "no name server could be reached".to_owned(),
        NetError::Io(error) => format!("no name server could be reached: {error}"),
        error => format!("the look-up of {host} failed: {error}"),
    }
}

/// The families in turns, IPv4 first: a family without a route costs one try, not all of them.
fn in_turns(ips: &[IpAddr]) -> Vec<IpAddr> {
    let mut fours = ips.iter().filter(|ip| ip.is_ipv4());
    let mut sixes = ips.iter().filter(|ip| ip.is_ipv6());
    let mut turns = Vec::new();
    while turns.len() < ips.len().min(MOST_ADDRESSES) {
        turns.extend(fours.next());
        turns.extend(sixes.next());
    }
    turns.truncate(MOST_ADDRESSES);
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_families_take_turns() {
        let ips = |text: &str| -> Vec<IpAddr> {
            text.split_whitespace().map(|ip| ip.parse().expect("an address")).collect()
        };
        let check = |given: &str, expected: &str| assert_eq!(in_turns(&ips(given)), ips(expected));
        check("", "");
        check("::1 ::2 1.0.0.1 1.0.0.2 1.0.0.3", "1.0.0.1 ::1 1.0.0.2 ::2 1.0.0.3");
        check("::1 ::2", "::1 ::2");
        check("::1 ::2 ::3 ::4 ::5 ::6 ::7 ::8 ::9", "::1 ::2 ::3 ::4 ::5 ::6 ::7 ::8");
    }

    #[test]
    fn name_servers_that_say_nothing_are_told_in_plain_words() {
        let refused = NetError::Dns(DnsError::ResponseCode(ResponseCode::Refused));
        let check = |error: &NetError, words: &str| assert_eq!(in_words("a.test", error), words);
        check(&NetError::Timeout, SILENT);
        check(&NetError::NoConnections, "no name server could be reached");
        let words = "the name servers could not say where a.test is: Query Refused";
        check(&refused, words);
    }

    #[test]
    fn whoever_asks_for_a_name_on_its_way_waits_for_the_same_answer() {
        let names = KnownNames::new(Vec::new(), 2);
        let slot = names.slot("a");
        assert!(Arc::ptr_eq(&slot, &names.slot("a")));
        assert!(!Arc::ptr_eq(&slot, &names.slot("b")));
        slot.set((Err("a failure holds for no time".to_owned()), Instant::now())).expect("empty");
        assert!(!Arc::ptr_eq(&slot, &names.slot("a")));
    }

    #[test]
    fn the_cache_stays_bounded_and_keeps_what_is_asked_for() {
        let names = KnownNames::new(Vec::new(), 2);
        let until = Instant::now() + POSITIVE.1;
        names.slot("kept").set((Ok(Vec::new()), until)).expect("an empty slot");
        names.slot("forgotten").set((Ok(Vec::new()), until)).expect("an empty slot");
        for i in 0..3 * GENERATION {
            names.slot(&format!("n{i}"));
            if i % 1000 == 0 {
                assert!(names.slot("kept").initialized(), "after {i}");
            }
        }
        assert!(!names.slot("forgotten").initialized());
        let cache = names.cache.lock().expect("a cache");
        assert!(cache.young.len() <= GENERATION && cache.old.len() <= GENERATION);
    }
}
