//! The server of the hostile web: a thread a connection, a host a kind of page.

use super::pages::{HostilePage, KINDS};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// Time between two bytes of a page that drips.
const DRIP: Duration = Duration::from_millis(20);

/// A server that lives as long as the process.
#[derive(Debug)]
pub(super) struct HostileWeb {
    pub(super) address: SocketAddr,
}

impl HostileWeb {
    /// Serves so many pages of each kind, of about so many bytes.
    pub(super) fn start(pages: u64, size: usize) -> anyhow::Result<HostileWeb> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = listener.local_addr()?;
        std::thread::spawn(move || {
            for socket in listener.incoming().map_while(Result::ok) {
                // Who goes away in the middle is not waited for.
                std::thread::spawn(move || serve(&socket, pages, size).ok());
            }
        });
        Ok(HostileWeb { address })
    }

    /// The first page of each host, with links to all others.
    pub(super) fn seeds(&self) -> Vec<String> {
        KINDS.iter().map(|kind| format!("http://{}.test/", kind.name)).collect()
    }
}

/// Answers what is asked on one connection.
fn serve(mut socket: &TcpStream, pages: u64, size: usize) -> std::io::Result<()> {
    let mut lines = BufReader::new(socket).lines();
    while let Some(first) = lines.next() {
        let first = first?;
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut host = String::new();
        for line in lines.by_ref() {
            let line = line?;
            match line.split_once(": ") {
                _ if line.is_empty() => break,
                Some((name, value)) if name.eq_ignore_ascii_case("host") => {
                    value.clone_into(&mut host);
                }
                _ => {}
            }
        }
        let Some(page) = page(&host, &path, pages, size) else {
            socket.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")?;
            continue;
        };
        let HostilePage { headers, body, is_slow } = page;
        let length = body.len();
        write!(socket, "HTTP/1.1 200 OK\r\n{headers}Content-Length: {length}\r\n\r\n")?;
        if is_slow {
            for byte in body.chunks(1) {
                socket.write_all(byte)?;
                std::thread::sleep(DRIP);
            }
        } else {
            socket.write_all(&body)?;
        }
    }
    Ok(())
}

/// The page at this address; none where there is none.
fn page(host: &str, path: &str, pages: u64, size: usize) -> Option<HostilePage> {
    let kind = KINDS.iter().find(|kind| host.strip_suffix(".test") == Some(kind.name))?;
    if path == "/" {
        let links: String = (0..pages).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
        let headers = "Content-Type: text/html\r\n".to_owned();
        return Some(HostilePage { headers, body: links.into_bytes(), is_slow: false });
    }
    let number = path.strip_prefix('/')?.parse().ok().filter(|number| *number < pages)?;
    Some(kind.page(number, size))
}
