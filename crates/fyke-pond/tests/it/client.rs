//! A client of a few lines: it shares no code with any crawler.

use fyke_pond::server::{Running, Serve, serve};
use fyke_pond::{Hazards, Pond, Size};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

pub fn pond(hazards: Hazards) -> Pond {
    Pond::new(7, Size::default(), hazards)
}

/// A server on a free port whose judge wants no gap.
pub async fn start() -> Running {
    start_with(0).await
}

pub async fn start_with(floor_ms: u64) -> Running {
    let options = Serve { port: 0, floor_ms };
    serve(Arc::new(pond(Hazards::default())), options).await.unwrap()
}

pub fn address(running: &Running, host: &str) -> SocketAddr {
    running.addresses.iter().find(|(name, _)| name == host).unwrap().1
}

#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub reason: String,
    pub headers: BTreeMap<String, String>,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Sends one request on a connection of its own and reads until the server closes.
pub async fn request(running: &Running, method: &str, host: &str, path: &str) -> Reply {
    let mut socket = TcpStream::connect(address(running, host)).await.unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: fyke/0 (test)\r\n\
         Connection: close\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    socket.read_to_end(&mut bytes).await.unwrap();
    parse(&bytes)
}

pub async fn get(running: &Running, host: &str, path: &str) -> Reply {
    request(running, "GET", host, path).await
}

/// A request whose answer is left unread: the connection, with the first bytes taken off it.
pub async fn begin(running: &Running, host: &str, path: &str) -> TcpStream {
    let mut socket = TcpStream::connect(address(running, host)).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: fyke\r\n\r\n");
    socket.write_all(head.as_bytes()).await.unwrap();
    let mut first = [0; 15];
    socket.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    socket
}

pub fn parse(bytes: &[u8]) -> Reply {
    let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
        let (reason, headers) = Default::default();
        return Reply { status: 0, reason, headers, body: bytes.to_vec() };
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let first = head.lines().next().unwrap_or_default();
    let reason = first.splitn(3, ' ').nth(2).unwrap_or_default().to_owned();
    let headers = head.lines().skip(1).filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    Reply { status, reason, headers, body: bytes[end + 4..].to_vec() }
}
