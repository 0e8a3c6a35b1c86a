//! An answer that lies in memory instead of coming from a server, read as one that comes: for those who try what
//! servers may answer.

use super::bare::BareWire;
use fyke_web::{Capture, Url};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, ReadBuf, sink};

/// Bytes that come `step` at a time.
struct Pieces {
    bytes: Vec<u8>,
    at: usize,
    step: usize,
}

impl AsyncRead for Pieces {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let rest = &self.bytes[self.at..];
        let now = rest.len().min(self.step).min(into.remaining());
        into.put_slice(&rest[..now]);
        self.at += now;
        Poll::Ready(Ok(()))
    }
}

/// The capture that an answer in HTTP/1 gives when its bytes come `step` at a time and `limit` bytes of its body are
/// wanted.
///
/// # Errors
/// In words, when it gives none.
#[doc(hidden)]
pub fn read_answer(url: &Url, bytes: &[u8], step: usize, limit: usize) -> Result<Capture, String> {
    let pieces = Pieces { bytes: bytes.to_vec(), at: 0, step: step.max(1) };
    let mut wire = BareWire::new(tokio::io::join(pieces, sink()));
    match pin!(wire.ask(url, b"", limit)).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(read) => read,
        Poll::Pending => Err("memory keeps nobody waiting".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_memory_is_read_alike_in_any_pieces() {
        let url = Url::parse("http://a.test/").expect("a URL");
        let answer = b"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
        for step in [1, 2, 7, usize::MAX] {
            let capture = read_answer(&url, answer, step, 9).expect("an answer");
            assert_eq!((capture.status, &capture.payload[..]), (200, &b"abc"[..]), "{step}");
            assert_eq!(read_answer(&url, answer, step, 2).expect("an answer").payload, b"ab");
        }
        assert!(read_answer(&url, b"220 ready", 1, 9).is_err());
    }
}
