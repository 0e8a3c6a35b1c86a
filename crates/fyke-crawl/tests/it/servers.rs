//! Servers on loopback for the tests of the wire: raw bytes, and TLS with certificates of their own.

use fyke_crawl::fetch::{BodyWanted, Captured, Failed, Limits, Outcome, Request};
use fyke_crawl::{Fetch, Http, HttpOptions, Roots};
use fyke_web::Url;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::pki_types::PrivateKeyDer;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

pub const HELLO: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

/// Every name under `.test` is at this server.
pub fn options(socket: SocketAddr) -> HttpOptions {
    HttpOptions { hosts: vec![("*.test".to_owned(), socket)], ..HttpOptions::default() }
}

pub fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

/// Gives each connection to `serve`, in a task of its own.
pub async fn listen<F: Future<Output = ()> + Send + 'static>(
    serve: impl Fn(TcpStream) -> F + Send + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let socket = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream));
        }
    });
    socket
}

/// Reads one request's head; nothing when the other side has gone.
pub async fn read_head(stream: &mut (impl AsyncRead + Unpin)) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}

pub async fn ask(http: &Http, url: &Url, limits: Limits) -> Outcome {
    match http.resolve(url).await {
        Ok(address) => {
            let (url, sockets) = (url.clone(), address.sockets);
            http.fetch(Request { url, sockets, limits, known: None, form: None, now: 7 }).await
        }
        Err(failed) => Outcome::Failed(failed),
    }
}

pub const GENEROUS: Limits =
    Limits { max_bytes: 1 << 20, timeout: Duration::from_secs(20), body: BodyWanted::Any };

pub async fn captured(http: &Http, text: &str) -> Captured {
    match ask(http, &url(text), GENEROUS).await {
        Outcome::Captured(captured) => captured,
        Outcome::Failed(failed) => panic!("{text}: {failed:?}"),
    }
}

pub async fn failed(http: &Http, text: &str) -> Failed {
    match ask(http, &url(text), GENEROUS).await {
        Outcome::Failed(failed) => failed,
        Outcome::Captured(captured) => panic!("{text}: {captured:?}"),
    }
}

/// An authority of the test's own.
pub struct Issuer(CertifiedIssuer<'static, KeyPair>);

impl Issuer {
    pub fn new() -> Issuer {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        Issuer(CertifiedIssuer::self_signed(params, key).expect("a certificate"))
    }

    pub fn roots(&self) -> Roots {
        Roots::from_pem(self.0.pem().as_bytes()).expect("a root")
    }

    /// A server's settings: a certificate for `name` that ends in `year`, and the protocols it speaks.
    pub fn server(&self, name: &str, year: i32, alpn: &[&str]) -> rustls::ServerConfig {
        let mut params = CertificateParams::new([name.to_owned()]).expect("a name");
        params.not_before = date_time_ymd(2001, 1, 1);
        params.not_after = date_time_ymd(year, 1, 1);
        let key = KeyPair::generate().expect("a key");
        let certificate = params.signed_by(&key, &self.0).expect("a certificate");
        let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a certificate with its key");
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        config
    }
}

/// Gives each connection to `serve` once hands are shaken.
pub async fn listen_tls<F: Future<Output = ()> + Send + 'static>(
    config: rustls::ServerConfig,
    serve: impl Fn(TlsStream<TcpStream>) -> F + Clone + Send + Sync + 'static,
) -> SocketAddr {
    let acceptor = TlsAcceptor::from(Arc::new(config));
    listen(move |stream| {
        let (acceptor, serve) = (acceptor.clone(), serve.clone());
        async move {
            if let Ok(stream) = acceptor.accept(stream).await {
                serve(stream).await;
            }
        }
    })
    .await
}
