//! HTTP/1.1 on one stream: a request is written, and its answer is read straight into its place. hyper has a
//! task and a channel for each connection, and a body comes out of it in pieces to be copied once more: what a
//! page costs less without is measured in docs/decisions/008. HTTP/2 is hyper's.

use super::AnswerSoFar;
use super::chunks::Chunks;
use super::message::{self, Framing, ResponseHead};
use crate::fetch::Failed;
use bytes::BufMut;
use fyke_store::Reason;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};

/// Bytes of a head.
pub(super) const HEAD_BYTES: usize = 64 * 1024;
/// Room for a head, and for what comes with it.
const HEAD_ROOM: usize = 8 * 1024;
/// Heads that may come before the one that counts.
const MOST_INTERIM: usize = 32;
/// Room made for a body before anything has come: a liar about its length costs no more.
pub(super) const FIRST_ROOM: usize = 1 << 20;
/// Room made at least for what comes next of a body.
const NEXT_ROOM: usize = 32 * 1024;

/// What bytes come and go on: TCP, or TLS.
pub(super) trait WireStream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> WireStream for T {}

/// A connection that takes one request after the other.
pub(super) struct Wire(Box<dyn WireStream>);

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wire")
    }
}

/// Why there is no head.
pub(super) enum Headless {
    /// The connection ended.
    Closed(String),
    /// What came is no answer.
    Broken(String),
}

/// A body about to be read.
pub(super) struct BodyReader {
    framing: Framing,
    /// What came with the head.
    begun: Vec<u8>,
}

/// A body that was read.
pub(super) struct Payload {
    pub(super) bytes: Vec<u8>,
    /// The WARC word for why it is not whole.
    pub(super) truncated: Option<&'static str>,
    /// The next answer, and nothing else, can be read from the connection.
    pub(super) is_at_end: bool,
}

impl BodyReader {
    /// How many bytes it has, where that is said.
    pub(super) fn length(&self) -> Option<u64> {
        match self.framing {
            Framing::Nothing => Some(0),
            Framing::Length(length) => Some(length),
            Framing::Chunked | Framing::Close => None,
        }
    }
}

impl Wire {
    pub(super) fn new(stream: impl WireStream + 'static) -> Wire {
        Wire(Box::new(stream))
    }

    /// Whether a connection that nobody uses is of no more use: because its other side has closed it, or has
    /// sent what nobody asked for.
    pub(super) fn is_closed(&mut self) -> bool {
        let (mut byte, mut context) = ([0], Context::from_waker(Waker::noop()));
        let stream = Pin::new(&mut self.0);
        !matches!(stream.poll_read(&mut context, &mut ReadBuf::new(&mut byte)), Poll::Pending)
    }

    /// Sends a request and reads the head of its answer.
    pub(super) async fn send(
        &mut self,
        request: &[u8],
    ) -> Result<(ResponseHead, BodyReader), Headless> {
        let closed = |e: std::io::Error| Headless::Closed(e.to_string());
        self.0.write_all(request).await.map_err(closed)?;
        self.0.flush().await.map_err(closed)?;
        let mut begun = Vec::with_capacity(HEAD_ROOM);
        for _ in 0..MOST_INTERIM {
            let end = self.read_head(&mut begun).await?;
            let head = message::read(&begun[..end]).map_err(Headless::Broken)?;
            begun.drain(..end);
            if !head.is_interim() {
                let framing = head.framing;
                return Ok((head, BodyReader { framing, begun }));
            }
        }
        Err(Headless::Broken("interim answers without end".to_owned()))
    }

    /// Reads until a whole head stands at the start of `begun`; says where it ends.
    async fn read_head(&mut self, begun: &mut Vec<u8>) -> Result<usize, Headless> {
        let mut searched = 0;
        loop {
            let blank = begun.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
            begun.drain(..blank);
            if !message::may_begin(begun) {
                return Err(Headless::Broken("this is no answer in HTTP/1".to_owned()));
            }
            if let Some(end) = message::end_of_head(begun, searched) {
                return Ok(end);
            }
            // The end may be one of three bytes, the last of them still to come.
            searched = begun.len().saturating_sub(2);
            let room = HEAD_BYTES.saturating_sub(begun.len());
            if room == 0 {
                return Err(Headless::Broken(format!("a head of more than {HEAD_BYTES} bytes")));
            }
            match self.read(begun, room).await {
                Ok(0) if begun.is_empty() => {
                    return Err(Headless::Closed("closed without an answer".to_owned()));
                }
                Ok(0) => return Err(Headless::Closed("closed within the head".to_owned())),
                Ok(_) => {}
                Err(error) => return Err(Headless::Closed(error.to_string())),
            }
        }
    }

    /// Reads some bytes behind those that are there, so many at most.
    async fn read(&mut self, into: &mut Vec<u8>, most: usize) -> std::io::Result<usize> {
        if into.len() == into.capacity() {
            into.reserve(into.len().max(NEXT_ROOM).min(most));
        }
        self.0.read_buf(&mut into.limit(most)).await
    }

    /// Reads a body, of which `limit` bytes are wanted.
    pub(super) async fn body(
        &mut self,
        body: BodyReader,
        limit: usize,
        seen: &AnswerSoFar,
    ) -> Result<Payload, Failed> {
        // One byte more tells that there are more.
        let most = limit.saturating_add(1);
        let mut payload = match body.framing {
            Framing::Nothing => {
                Payload { bytes: Vec::new(), truncated: None, is_at_end: body.begun.is_empty() }
            }
            Framing::Length(length) => {
                let length = usize::try_from(length).map_or(most, |length| length.min(most));
                self.read_length(body.begun, length, seen).await?
            }
            Framing::Close => self.read_until_closed(body.begun, most, seen).await?,
            Framing::Chunked => self.read_chunks(body.begun, most, seen).await?,
        };
        if payload.bytes.len() > limit {
            payload.bytes.truncate(limit);
            payload.truncated = Some("length");
        }
        Ok(payload)
    }

    async fn read_length(
        &mut self,
        begun: Vec<u8>,
        length: usize,
        seen: &AnswerSoFar,
    ) -> Result<Payload, Failed> {
        let mut bytes = Vec::with_capacity(length.min(FIRST_ROOM) + 1);
        bytes.extend_from_slice(&begun);
        seen.count(bytes.len().min(length));
        while bytes.len() < length {
            // Room for one byte more: a read that does not fill it has emptied the socket, and nobody
            // needs to ask again.
            let most = length - bytes.len() + 1;
            match self.read(&mut bytes, most).await {
                Ok(0) => return broken_off(bytes, "closed within the body"),
                Err(error) => return broken_off(bytes, &error.to_string()),
                Ok(_) => seen.count(bytes.len().min(length)),
            }
        }
        let is_at_end = bytes.len() == length;
        bytes.truncate(length);
        Ok(Payload { bytes, truncated: None, is_at_end })
    }

    async fn read_until_closed(
        &mut self,
        begun: Vec<u8>,
        most: usize,
        seen: &AnswerSoFar,
    ) -> Result<Payload, Failed> {
        let mut bytes = begun;
        while bytes.len() < most {
            seen.count(bytes.len());
            let room = most - bytes.len();
            match self.read(&mut bytes, room).await {
                Ok(0) => break,
                Err(error) => return broken_off(bytes, &error.to_string()),
                Ok(_) => {}
            }
        }
        Ok(Payload { bytes, truncated: None, is_at_end: false })
    }

    async fn read_chunks(
        &mut self,
        begun: Vec<u8>,
        most: usize,
        seen: &AnswerSoFar,
    ) -> Result<Payload, Failed> {
        let (mut chunks, mut coded, mut bytes) = (Chunks::default(), begun, Vec::new());
        loop {
            let used = match chunks.feed(&coded, &mut bytes, most) {
                Ok(used) => used,
                Err(what) => return broken_off(bytes, what),
            };
            seen.count(bytes.len());
            if chunks.is_done() || bytes.len() >= most {
                let is_at_end = chunks.is_done() && used == coded.len();
                return Ok(Payload { bytes, truncated: None, is_at_end });
            }
            coded.clear();
            coded.reserve(NEXT_ROOM);
            match self.read(&mut coded, NEXT_ROOM).await {
                Ok(0) => return broken_off(bytes, "closed within the body"),
                Err(error) => return broken_off(bytes, &error.to_string()),
                Ok(_) => {}
            }
        }
    }
}

/// What is left of a body that has no end: a page that is cut, or none.
fn broken_off(bytes: Vec<u8>, what: &str) -> Result<Payload, Failed> {
    match bytes.is_empty() {
        true => Err(Failed::of_page(Reason::Protocol, what)),
        false => Ok(Payload { bytes, truncated: Some("disconnect"), is_at_end: false }),
    }
}
