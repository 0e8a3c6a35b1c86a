//! TLS against real handshakes: whom we trust, what is spoken, and that sessions are resumed.

use crate::servers::{HELLO, Issuer, captured, failed, listen_tls, options, read_head};
use fyke_crawl::{Http, HttpOptions, Roots};
use fyke_store::Reason;
use rustls::HandshakeKind;
use std::sync::{Arc, Mutex};
use tokio::io::AsyncWriteExt;

/// Answers every request with "hi" in HTTP/1.1; what shook hands how is written down.
async fn server(config: rustls::ServerConfig, roots: Roots) -> (Http, Arc<Mutex<Vec<String>>>) {
    let met = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&met);
    let socket = listen_tls(config, move |mut stream| {
        let shaken = stream.get_ref().1;
        let kind = match shaken.handshake_kind() {
            Some(HandshakeKind::Resumed) => "resumed",
            _ => "full",
        };
        let name = shaken.server_name().unwrap_or("?");
        notes.lock().expect("notes").push(format!("{name} {kind}"));
        async move {
            // One answer a connection.
            if read_head(&mut stream).await.is_some() {
                stream.write_all(HELLO).await.ok();
                stream.shutdown().await.ok();
            }
        }
    })
    .await;
    (Http::new(HttpOptions { roots, ..options(socket) }), met)
}

#[tokio::test]
async fn a_host_met_again_is_greeted_by_a_resumed_session() {
    let issuer = Issuer::new();
    let (http, met) = server(issuer.server("*.a.test", 2099, &[]), issuer.roots()).await;
    for url in ["https://x.a.test/", "https://x.a.test/2", "https://y.a.test/", "https://x.a.test/"]
    {
        assert_eq!(captured(&http, url).await.capture.payload, b"hi");
    }
    let met = met.lock().expect("notes").join(", ");
    assert_eq!(met, "x.a.test full, x.a.test resumed, y.a.test full, x.a.test resumed");
}

#[tokio::test]
async fn certificates_that_prove_nothing_are_refused_and_say_why() {
    let issuer = Issuer::new();
    let check = async |name: &str, year, roots: Roots, expected: &str| {
        let (http, _) = server(issuer.server(name, year, &["http/1.1"]), roots).await;
        let failed = failed(&http, "https://a.test/").await;
        assert_eq!(failed.reason, Reason::Tls, "{failed:?}");
        assert!(failed.detail.contains(expected), "{} | {expected}", failed.detail);
    };
    check("b.test", 2099, issuer.roots(), "is for another name").await;
    check("a.test", 2002, issuer.roots(), "has expired").await;
    check("a.test", 2099, Roots::default(), "an issuer that is not trusted").await;
    check("a.test", 2099, Roots::default(), "self-signed").await;
    check("a.test", 2099, Issuer::new().roots(), "cannot be trusted").await;
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_refused() {
    let socket = crate::servers::listen(|mut stream| async move {
        stream.write_all(HELLO).await.ok();
    })
    .await;
    let failed = failed(&Http::new(options(socket)), "https://a.test/").await;
    assert_eq!(failed.reason, Reason::Tls, "{failed:?}");
}
