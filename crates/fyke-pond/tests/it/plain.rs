//! The plain web over a socket: pages by Host header, one host, robots.txt, the judge, the slow host.

use crate::client::{Reply, parse};
use fyke_pond::plain::server::{RunningPlain, ServePlain, serve};
use fyke_pond::plain::{Plain, PlainShape};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

async fn start(one_host: bool, options: ServePlain) -> RunningPlain {
    let shape = PlainShape { seed: 7, hosts: 3, pages: 300, links: 50, bytes: 30_000, one_host };
    serve(Arc::new(Plain::new(shape)), options).await.unwrap()
}

async fn ask(running: &RunningPlain, method: &str, host: &str, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(("127.0.0.1", running.port)).await.unwrap();
    let head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    socket
}

async fn get(running: &RunningPlain, host: &str, path: &str) -> Reply {
    let mut bytes = Vec::new();
    ask(running, "GET", host, path).await.read_to_end(&mut bytes).await.unwrap();
    parse(&bytes)
}

#[tokio::test]
async fn pages_come_whole_and_the_judge_counts_them() {
    let running = start(false, ServePlain { floor_ms: 600_000, ..ServePlain::default() }).await;
    let home = get(&running, "h000001.test", "/").await;
    let length: usize = home.headers["content-length"].trim().parse().unwrap();
    assert_eq!((home.status, home.body.len()), (200, length));
    assert_eq!(get(&running, "h000001.test", "/").await.body, home.body);
    assert_ne!(get(&running, "h000002.test", "/").await.body, home.body);
    assert_eq!(get(&running, "h000003.test", "/").await.status, 404);
    assert!(get(&running, "h000002.test", "/robots.txt").await.text().contains("/private/"));
    assert_eq!(get(&running, "h000002.test", "/private/notes-1").await.status, 200);
    let stats = get(&running, "any.test", "/__pond/stats").await.json();
    let sum = &stats["sum"];
    assert_eq!((&sum["unique_pages"], &sum["duplicate_fetches"]), (&2.into(), &1.into()));
    assert_eq!((&sum["disallowed_fetches"], &sum["gap_violations"]), (&1.into(), &3.into()));
    assert_eq!(stats["hosts"].as_object().unwrap().len(), 2);
    running.stop().await;
}

#[tokio::test]
async fn as_one_host_every_link_stays_on_it() {
    let running = start(true, ServePlain::default()).await;
    let home = get(&running, "127.0.0.1", "/").await.text();
    assert!(!home.contains("href=\"http"));
    let link = home.split("href=\"").find(|rest| rest.starts_with("/h000001/")).unwrap();
    assert_eq!(get(&running, "127.0.0.1", link.split('"').next().unwrap()).await.status, 200);
    running.stop().await;
}

#[tokio::test]
async fn a_host_that_drips_sends_its_head_and_one_byte() {
    let running = start(false, ServePlain { drip: Some(2), ..ServePlain::default() }).await;
    assert!(get(&running, "h000001.test", "/").await.body.len() > 10_000);
    assert_eq!(get(&running, "h000002.test", "/robots.txt").await.status, 200);
    let mut socket = ask(&running, "GET", "h000002.test", "/").await;
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n<") {
        assert!(socket.read_buf(&mut bytes).await.unwrap() > 0);
    }
    assert_eq!(running.tally.stats().sum.in_flight, 1);
    running.stop().await;
}
