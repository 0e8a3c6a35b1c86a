//! Requests through a proxy on loopback.

use crate::servers::{HELLO, Issuer, captured, failed, listen, listen_tls, read_head};
use fyke_crawl::{Http, HttpOptions, Proxy, Roots};
use fyke_store::Reason;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

/// A proxy that writes down the heads it gets, answers plain requests itself, and makes every tunnel
/// lead to `target` after `answer`.
async fn proxy(answer: &'static str, target: SocketAddr) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&heads);
    let socket = listen(move |mut stream| {
        let notes = Arc::clone(&notes);
        async move {
            while let Some(head) = read_head(&mut stream).await {
                notes.lock().expect("notes").push(head.clone());
                if head.starts_with("CONNECT ") {
                    stream.write_all(answer.as_bytes()).await.ok();
                    let mut onward = TcpStream::connect(target).await.expect("a connection");
                    copy_bidirectional(&mut stream, &mut onward).await.ok();
                    return;
                }
                stream.write_all(HELLO).await.ok();
            }
        }
    })
    .await;
    (socket, heads)
}

fn through(socket: SocketAddr, user: &str, roots: Roots) -> Http {
    let text = format!("http://{user}127.0.0.1:{}", socket.port());
    let proxy = Proxy::parse(&text, &text, "direct.test").expect("a proxy");
    Http::new(HttpOptions { proxy, roots, ..HttpOptions::default() })
}

#[tokio::test]
async fn plain_requests_go_to_the_proxy_whole() {
    let nowhere = "127.0.0.1:1".parse().expect("an address");
    let (socket, heads) = proxy("", nowhere).await;
    let http = through(socket, "me:secret@", Roots::default());
    for url in ["http://a.test/p?q=1", "http://b.test:81/"] {
        let found = captured(&http, url).await;
        let record = String::from_utf8(found.request).expect("text");
        assert!(!record.to_lowercase().contains("proxy"), "no secret is kept: {record}");
        assert!(record.starts_with("GET /"), "{record}");
    }
    let heads = heads.lock().expect("notes").clone();
    assert!(heads[0].starts_with("GET http://a.test/p?q=1 HTTP/1.1\r\nHost: a.test\r\n"));
    assert!(heads[1].starts_with("GET http://b.test:81/ HTTP/1.1\r\nHost: b.test:81\r\n"));
    assert!(heads[0].contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"), "{heads:?}");
    assert_eq!(failed(&http, "http://direct.test/").await.reason, Reason::Dns);
    assert_eq!(failed(&http, "http://10.0.0.1/").await.reason, Reason::PrivateAddress);
    assert_eq!(failed(&http, "http://wiki.local/").await.reason, Reason::PrivateAddress);
}

#[tokio::test]
async fn secure_requests_go_through_a_tunnel() {
    let issuer = Issuer::new();
    let target = listen_tls(issuer.server("a.test", 2099, &[]), |mut stream| async move {
        let head = read_head(&mut stream).await.expect("a request");
        let length = head.len();
        let answer = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{head}");
        stream.write_all(answer.as_bytes()).await.ok();
    })
    .await;
    let (socket, heads) = proxy("HTTP/1.1 200 Connected\r\nX: y\r\n\r\n", target).await;
    let found = captured(&through(socket, "me:secret@", issuer.roots()), "https://a.test/p").await;
    assert_eq!(found.capture.payload, found.request, "the server sees no secret");
    let heads = heads.lock().expect("notes").clone();
    assert_eq!(heads.len(), 1);
    assert!(heads[0].starts_with("CONNECT a.test:443 HTTP/1.1\r\nHost: a.test:443\r\n"));
    assert!(heads[0].contains("Proxy-Authorization: Basic bWU6c2VjcmV0\r\n"), "{heads:?}");
}

#[tokio::test]
async fn a_proxy_that_refuses_says_why() {
    let check = async |answer, expected: &str| {
        let (socket, _) = proxy(answer, "127.0.0.1:1".parse().expect("an address")).await;
        let found = failed(&through(socket, "", Roots::default()), "https://a.test/").await;
        assert_eq!(found.reason, Reason::Connect, "{found:?}");
        assert!(found.detail.contains(expected), "{} | {expected}", found.detail);
    };
    check("HTTP/1.1 407 No\r\n\r\n", "wants a name and a password").await;
    check("HTTP/1.0 403 No\r\n\r\n", "refused a tunnel to a.test:443: status 403").await;
    check("220 smtp\r\n\r\n", "does not speak HTTP").await;
    check("HTTP/1.1 200", "gave no answer").await;
}
