//! Look-ups against a name server on loopback.

use crate::servers::url;
use fyke_crawl::fetch::{Address, Failed};
use fyke_crawl::{Fetch, Http, HttpOptions};
use fyke_store::Reason;
use hickory_resolver::proto::op::{Message, ResponseCode};
use hickory_resolver::proto::rr::{RData, Record, RecordType};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::UdpSocket;

/// Names asked for, with their type, and how often.
type Asked = Arc<Mutex<BTreeMap<String, usize>>>;

/// What the name server knows: "name ttl address…".
const ZONE: &[&str] = &[
    "a.example 300 8.0.0.1 8.0.0.2 2a00::1",
    "short.example 1 8.0.0.3",
    "six.example 300 2a00::6",
    "inside.example 300 10.0.0.1 fd00::1",
    "half.example 300 10.0.0.1 8.0.0.4",
    "empty.example 300",
];

/// Takes questions in batches, as many as come while nobody has an answer, and notes the largest
/// count of names in one.
async fn name_server(look_ups: usize) -> (Http, Asked) {
    let socket = UdpSocket::bind("127.0.0.1:0").await.expect("a port");
    let address = socket.local_addr().expect("an address");
    let asked = Asked::default();
    let notes = Arc::clone(&asked);
    tokio::spawn(async move {
        let mut bytes = [0; 2048];
        while socket.readable().await.is_ok() {
            for _ in 0..100 {
                tokio::task::yield_now().await;
            }
            let mut batch = Vec::new();
            while let Ok((length, from)) = socket.try_recv_from(&mut bytes) {
                let question = Message::from_vec(&bytes[..length]).expect("a question");
                batch.push((answer(&question, &notes), from));
            }
            let names: BTreeSet<_> =
                batch.iter().map(|(answer, _)| answer.queries[0].name().to_ascii()).collect();
            note_most(&notes, names.len());
            for (answer, from) in batch {
                socket.send_to(&answer.to_vec().expect("an answer"), from).await.ok();
            }
        }
    });
    let name_servers = vec![address];
    (Http::new(HttpOptions { name_servers, look_ups, ..HttpOptions::default() }), asked)
}

fn note_most(asked: &Asked, names: usize) {
    let mut asked = asked.lock().expect("notes");
    let most = asked.entry("at once".to_owned()).or_default();
    *most = names.max(*most);
}

fn answer(question: &Message, asked: &Asked) -> Message {
    let query = question.queries[0].clone();
    let name = query.name().to_ascii().to_ascii_lowercase();
    let name = name.trim_end_matches('.');
    *asked.lock().expect("notes").entry(format!("{name} {}", query.query_type())).or_default() += 1;
    let mut answer = Message::response(question.id, question.op_code);
    let mut words =
        ZONE.iter().map(|row| row.split(' ')).find(|row| row.clone().next() == Some(name));
    match &mut words {
        None => answer.metadata.response_code = ResponseCode::NXDomain,
        Some(row) => {
            let ttl = row.nth(1).and_then(|ttl| ttl.parse().ok()).expect("a ttl");
            for ip in row.map(|ip| ip.parse().expect("an address")) {
                let (kind, data) = match ip {
                    std::net::IpAddr::V4(ip) => (RecordType::A, RData::A(ip.into())),
                    std::net::IpAddr::V6(ip) => (RecordType::AAAA, RData::AAAA(ip.into())),
                };
                if kind == query.query_type() {
                    answer.add_answer(Record::from_rdata(query.name().clone(), ttl, data));
                }
            }
        }
    }
    answer.add_query(query);
    answer
}

async fn resolve(http: &Http, host: &str) -> Result<Address, Failed> {
    http.resolve(&url(&format!("http://{host}/"))).await
}

fn count(asked: &Asked, what: &str) -> usize {
    asked.lock().expect("notes").get(what).copied().unwrap_or(0)
}

async fn advance(seconds: u64) {
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(seconds)).await;
    tokio::time::resume();
}

#[tokio::test]
async fn both_families_are_found_and_private_addresses_left_out() {
    let (http, _) = name_server(64).await;
    let check = async |host: &str, expected: Result<&str, Reason>| {
        let found = resolve(&http, host).await.map(|address| {
            let sockets: Vec<_> = address.sockets.iter().map(ToString::to_string).collect();
            assert_eq!(address.key, address.sockets[0].ip());
            sockets.join(" ")
        });
        let found = found.as_deref().map_err(|failed| failed.reason);
        assert_eq!(found, expected, "{host}");
    };
    check("a.example", Ok("8.0.0.1:80 [2a00::1]:80 8.0.0.2:80")).await;
    check("a.example.", Ok("8.0.0.1:80 [2a00::1]:80 8.0.0.2:80")).await;
    check("six.example", Ok("[2a00::6]:80")).await;
    check("half.example", Ok("8.0.0.4:80")).await;
    check("inside.example", Err(Reason::PrivateAddress)).await;
    check("nothing.example", Err(Reason::Dns)).await;
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_told_in_plain_words() {
    let (http, _) = name_server(64).await;
    let why = async |host| resolve(&http, host).await.expect_err("no address").detail;
    assert_eq!(why("nothing.example").await, "nothing.example does not exist");
    assert_eq!(why("empty.example").await, "empty.example has no address");
}

#[tokio::test]
async fn answers_are_remembered_as_long_as_they_hold_and_negative_ones_too() {
    let (http, asked) = name_server(64).await;
    let hosts = ["a.example", "short.example", "nothing.example"];
    let check = async |expected: [usize; 3]| {
        for host in hosts {
            resolve(&http, host).await.ok();
        }
        assert_eq!(hosts.map(|host| count(&asked, &format!("{host} A"))), expected);
    };
    check([1, 1, 1]).await;
    check([1, 1, 1]).await;
    advance(20).await;
    // Nothing is believed for less than half a minute.
    check([1, 1, 1]).await;
    advance(20).await;
    check([1, 2, 1]).await;
    advance(25).await;
    check([1, 2, 2]).await;
    advance(300).await;
    check([2, 3, 3]).await;
}

#[tokio::test]
async fn a_name_looked_up_ahead_is_known_when_it_is_needed() {
    let (http, asked) = name_server(64).await;
    http.prefetch(&url("http://six.example/"));
    while count(&asked, "six.example AAAA") == 0 {
        tokio::task::yield_now().await;
    }
    for _ in 0..3 {
        resolve(&http, "six.example").await.expect("an address");
        http.prefetch(&url("http://six.example/"));
    }
    assert_eq!(count(&asked, "six.example AAAA"), 1);
}

#[tokio::test]
async fn look_ups_in_flight_are_many_but_bounded() {
    for (look_ups, expected) in [(64, 3..=6), (2, 1..=2)] {
        let (http, asked) = name_server(look_ups).await;
        let http = Arc::new(http);
        let asking = (0..6).map(|i| {
            let http = Arc::clone(&http);
            tokio::spawn(async move { resolve(&http, &format!("n{i}.example")).await.is_ok() })
        });
        for task in asking.collect::<Vec<_>>() {
            assert!(!task.await.expect("an answer"), "the zone has no such name");
        }
        assert!(expected.contains(&count(&asked, "at once")), "{look_ups} allowed");
    }
}
