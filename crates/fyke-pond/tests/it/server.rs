//! What the server sends and what the judge counts, over real sockets.

use crate::client::{address, begin, get, parse, request, start, start_with};
use fyke_pond::judge::HostStats;
use fyke_pond::server::Running;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn stats(running: &Running, host: &str) -> HostStats {
    running.judge.stats().hosts.get(host).cloned().unwrap_or_default()
}

/// Asks the server about itself until the host has nothing in flight.
async fn until_idle(running: &Running, host: &str) -> HostStats {
    for _ in 0..100_000 {
        let now = stats(running, host);
        if now.in_flight == 0 {
            return now;
        }
        get(running, "directory.test", "/__pond/hosts").await;
    }
    panic!("{host} is still busy");
}

#[tokio::test]
async fn pages_and_duplicates_are_counted_per_host_and_in_sum() {
    let running = start().await;
    for path in ["/robots.txt", "/", "/one", "/one", "/missing"] {
        get(&running, "robots-absent.test", path).await;
    }
    get(&running, "copies.test", "/original/1").await;
    let host = stats(&running, "robots-absent.test");
    assert_eq!((host.requests, host.unique_pages, host.duplicate_fetches), (5, 2, 1));
    let sum = running.judge.stats().sum;
    assert_eq!((sum.requests, sum.unique_pages, sum.duplicate_fetches), (6, 3, 1));
    assert_eq!((sum.max_in_flight, sum.politeness_violations), (1, 0));
    assert!(sum.bytes_sent > host.bytes_sent && host.bytes_sent > 2000, "{sum:?}");
}

#[tokio::test]
async fn forbidden_requests_are_counted_by_agent() {
    let running = start().await;
    for path in ["/hall", "/cellar/box", "/attic/trunk", "/attic/open-day", "/robots.txt"] {
        get(&running, "robots-groups.test", path).await;
    }
    assert_eq!(stats(&running, "robots-groups.test").disallowed_fetches, 2);
    get(&running, "directory.test", "/private/minutes-1").await;
    get(&running, "robots-unavailable.test", "/").await;
    assert_eq!(running.judge.stats().politeness_violations, 4);
    let mut socket = TcpStream::connect(address(&running, "robots-groups.test")).await.unwrap();
    let other = b"GET /hall HTTP/1.0\r\nHost: robots-groups.test\r\nUser-Agent: curl\r\n\r\n";
    socket.write_all(other).await.unwrap();
    socket.read_to_end(&mut Vec::new()).await.unwrap();
    assert_eq!(stats(&running, "robots-groups.test").disallowed_fetches, 3);
}

#[tokio::test]
async fn traps_and_nofollow_areas_are_counted() {
    let running = start().await;
    for path in ["/2024/01", "/2026/01", "/2026/02", "/2021/12"] {
        get(&running, "calendar.test", path).await;
    }
    for path in ["/room/1", "/room/1?sid=0000000000000001", "/room/2;jsessionid=2"] {
        get(&running, "sessions.test", path).await;
    }
    get(&running, "nofollow.test", "/untrusted/1").await;
    get(&running, "nofollow.test", "/trusted/1").await;
    assert_eq!(stats(&running, "calendar.test").trap_fetches, 2);
    let sessions = stats(&running, "sessions.test");
    assert_eq!((sessions.trap_fetches, sessions.unique_pages), (1, 2));
    assert_eq!(stats(&running, "nofollow.test").nofollow_fetches, 1);
}

#[tokio::test]
async fn a_request_inside_a_retry_after_window_is_a_violation() {
    let running = start().await;
    for (host, status) in [("busy.test", 429), ("maintenance.test", 503)] {
        assert_eq!(get(&running, host, "/desk").await.status, 200);
        let first = get(&running, host, "/queue").await;
        assert_eq!(first.status, status);
        assert_eq!(first.headers["retry-after"] == "2", status == 429, "{first:?}");
        assert_eq!(stats(&running, host).retry_after_violations, 0);
        assert_eq!(get(&running, host, "/desk").await.status, status);
        assert_eq!(stats(&running, host).retry_after_violations, 1);
    }
}

#[tokio::test]
async fn requests_closer_than_the_gap_are_violations() {
    let running = start_with(3_600_000).await;
    for path in ["/robots.txt", "/", "/one"] {
        get(&running, "robots-absent.test", path).await;
    }
    let host = stats(&running, "robots-absent.test");
    assert_eq!((host.required_gap_ms, host.gap_violations), (3_600_000, 2));
    assert!(host.smallest_gap_ms.is_some_and(|gap| gap > 0.0 && gap < 3_600_000.0));
}

#[tokio::test]
async fn a_crawl_delay_raises_the_required_gap() {
    let running = start_with(20).await;
    get(&running, "robots-delay.test", "/").await;
    get(&running, "robots-html.test", "/").await;
    assert_eq!(stats(&running, "robots-delay.test").required_gap_ms, 1000);
    assert_eq!(stats(&running, "robots-html.test").required_gap_ms, 20);
}

#[tokio::test]
async fn two_requests_at_once_to_a_host_are_seen() {
    let running = start().await;
    let dripping = begin(&running, "drip.test", "/drip").await;
    get(&running, "drip.test", "/").await;
    let host = stats(&running, "drip.test");
    assert_eq!((host.max_in_flight, host.in_flight_violations, host.in_flight), (2, 1, 1));
    drop(dripping);
    let host = until_idle(&running, "drip.test").await;
    get(&running, "drip.test", "/").await;
    assert_eq!(stats(&running, "drip.test").in_flight_violations, host.in_flight_violations);
}

#[tokio::test]
async fn an_endless_body_ends_when_the_client_leaves() {
    let running = start().await;
    let mut endless = begin(&running, "endless.test", "/stream").await;
    let mut some = vec![0; 1 << 20];
    endless.read_exact(&mut some).await.unwrap();
    assert_eq!(stats(&running, "endless.test").in_flight, 1);
    drop(endless);
    let host = until_idle(&running, "endless.test").await;
    assert!(host.bytes_sent >= 1 << 20, "{host:?}");
}

#[tokio::test]
async fn hosts_that_share_an_address_are_counted_together() {
    let running = start().await;
    let shared = ["shared-a.test", "shared-b.test", "shared-c.test"];
    let shared = shared.map(|host| address(&running, host));
    assert!(shared.iter().all(|other| *other == shared[0]));
    assert!(running.addresses.iter().all(|(_, address)| address.ip().is_loopback()));
    let _drip = begin(&running, "drip.test", "/drip").await;
    assert_eq!(running.judge.stats().sum.max_in_flight_address, 1);
}

#[tokio::test]
async fn a_name_without_a_server_refuses_connections() {
    let running = start().await;
    assert!(TcpStream::connect(address(&running, "refused.test")).await.is_err());
}

#[tokio::test]
async fn connections_are_kept_and_head_has_no_body() {
    let running = start().await;
    let mut socket = TcpStream::connect(address(&running, "robots-absent.test")).await.unwrap();
    let requests = "HEAD /one HTTP/1.1\r\nHost: ROBOTS-absent.test:8400\r\n\r\n\
                    POST /one HTTP/1.1\r\nHost: robots-absent.test\r\nContent-Length: 3\r\n\r\nabc\
                    GET /one HTTP/1.1\r\nHost: robots-absent.test\r\nConnection: close\r\n\r\n";
    socket.write_all(requests.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).await.unwrap();
    let head = parse(&bytes);
    assert_eq!(head.status, 200);
    assert!(head.body.starts_with(b"HTTP/1.1 200"), "{}", head.text());
    let length: usize = head.headers["content-length"].parse().unwrap();
    let (post, last) = (parse(&head.body), parse(&parse(&head.body).body[length..]));
    assert_eq!((post.status, last.status, last.body.len()), (200, 200, length));
    assert_eq!(stats(&running, "robots-absent.test").requests, 3);
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let running = start().await;
    for nonsense in ["\r\n\r\n", "GET\r\n\r\n", "\u{0}\u{1}\r\n\r\n", "GET x HTTP/1.1\r\n\r\n"] {
        let mut socket = TcpStream::connect(address(&running, "drip.test")).await.unwrap();
        socket.write_all(nonsense.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).await.unwrap();
        assert_eq!(parse(&bytes).status, 400, "{nonsense:?}");
    }
}

#[tokio::test]
async fn control_requests_answer_on_any_host_and_are_not_counted() {
    let running = start().await;
    get(&running, "calendar.test", "/").await;
    let shown = get(&running, "drip.test", "/__pond/stats").await.json();
    assert_eq!(shown["sum"]["requests"], 1);
    assert_eq!(shown["hosts"]["calendar.test"]["unique_pages"], 1);
    assert_eq!(shown["politeness_violations"], 0);
    let hosts = get(&running, "drip.test", "/__pond/hosts").await.json();
    assert_eq!(hosts["drip.test"], address(&running, "drip.test").to_string());
    let line = get(&running, "drip.test", "/__pond/hosts?toml").await.text();
    let entry = format!("\"drip.test\" = \"{}\"", address(&running, "drip.test"));
    assert!(line.starts_with("hosts = { \"") && line.contains(&entry), "{line}");
    let index = get(&running, "drip.test", "/__pond/").await;
    assert_eq!(index.headers["content-type"], "text/plain; charset=utf-8");
    for name in ["stats", "truth", "hosts", "hosts?toml", "reset"] {
        assert!(index.text().contains(&format!(" /__pond/{name} ")), "{name}: {}", index.text());
    }
    let refused = get(&running, "drip.test", "/__pond/reset").await;
    assert_eq!((refused.status, refused.reason.as_str()), (405, "Method Not Allowed"));
    assert_eq!(refused.headers["allow"], "POST");
    assert_eq!(running.judge.stats().sum.requests, 1);
    assert_eq!(request(&running, "POST", "drip.test", "/__pond/reset").await.status, 200);
    assert_eq!(running.judge.stats().sum.requests, 0);
}

#[tokio::test]
async fn the_truth_is_served() {
    let running = start().await;
    let truth = get(&running, "directory.test", "/__pond/truth").await.json();
    let aliases = truth["aliases"].as_array().unwrap();
    let room = "http://sessions.test/room/1";
    assert!(aliases.iter().any(|alias| alias["canonical"] == room), "{aliases:?}");
}

#[tokio::test]
async fn unknown_hosts_are_one_host_to_the_judge() {
    let running = start().await;
    for host in ["nowhere.test", "elsewhere.test"] {
        let mut socket = TcpStream::connect(address(&running, "drip.test")).await.unwrap();
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut bytes = Vec::new();
        socket.read_to_end(&mut bytes).await.unwrap();
        assert_eq!(parse(&bytes).status, 404);
    }
    assert_eq!(stats(&running, "unknown").requests, 2);
}

#[tokio::test]
async fn a_stopped_server_is_gone() {
    let running = start().await;
    let address = address(&running, "calendar.test");
    let mut open = TcpStream::connect(address).await.unwrap();
    open.write_all(b"GET / HTTP/1.1\r\nHost: calendar.test\r\n\r\n").await.unwrap();
    open.read_exact(&mut [0; 12]).await.unwrap();
    running.stop().await;
    assert!(TcpStream::connect(address).await.is_err());
}
