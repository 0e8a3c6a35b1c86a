//! One connection to a server, in HTTP/1.1 or HTTP/2, and an answer on it.

use super::head::{self, RequestHead};
use super::wire::{self, HEAD_BYTES, Headless, Payload, Wire, WireStream};
use super::{AnswerSoFar, body};
use crate::fetch::Failed;
use bytes::Bytes;
use fyke_store::Reason;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use std::time::Duration;
use tokio::time::timeout;

/// What an HTTP/2 server may send before it has to wait for us.
const WINDOW: u32 = 256 * 1024;

/// Bytes of an unwanted body that are read so that its connection can be used again, and how long that may take: less
/// than a new connection costs.
const MOST_DRAINED: u64 = 16 * 1024;
const LONGEST_DRAIN: Duration = Duration::from_secs(1);

type Sender = http2::SendRequest<Full<Bytes>>;

/// A connection that takes one request after the other.
#[derive(Debug)]
pub(super) enum Connection {
    One(Wire),
    Two(Sender),
}

/// An answer whose head has come.
pub(super) struct AnsweredHead {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) rest: RestOfAnswer,
}

/// What is still to come of an answer, with its connection.
pub(super) enum RestOfAnswer {
    One { wire: Wire, body: wire::BodyReader, kept_for: Option<Duration> },
    Two(Sender, Incoming),
}

/// A connection that may be used again, and for how long its server keeps it, where it says so.
pub(super) type KeptConnection = (Connection, Option<Duration>);

/// Why a request brought no head.
pub(super) enum Unanswered {
    /// Nothing of it left this machine.
    Unsent,
    Failed(Failed),
}

impl Connection {
    /// Starts HTTP/2 on a stream; the connection's own task ends when its last user is gone.
    pub(super) async fn start_http2(
        stream: impl WireStream + 'static,
    ) -> Result<Connection, Failed> {
        let started = http2::Builder::new(TokioExecutor::new())
            .max_header_list_size(HEAD_BYTES as u32)
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(WINDOW)
            .handshake(TokioIo::new(stream))
            .await;
        let (sender, connection) =
            started.map_err(|e| Failed::of_host(Reason::Protocol, chain(&e)))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection ended");
            }
        });
        Ok(Connection::Two(sender))
    }

    /// Whether an idle connection is known to be of no more use.
    pub(super) fn is_closed(&mut self) -> bool {
        match self {
            Connection::One(wire) => wire.is_closed(),
            Connection::Two(sender) => sender.is_closed(),
        }
    }

    /// Sends a request and waits for the head of its answer.
    pub(super) async fn send(self, asked: &RequestHead<'_>) -> Result<AnsweredHead, Unanswered> {
        match self {
            Connection::One(mut wire) => {
                let (head, body) = wire.send(&asked.http1()).await.map_err(|why| {
                    Unanswered::Failed(match why {
                        Headless::Closed(what) => Failed::of_host(Reason::Protocol, what),
                        Headless::Broken(what) => Failed::of_page(Reason::Protocol, what),
                    })
                })?;
                let rest = RestOfAnswer::One { wire, body, kept_for: head.kept_for };
                Ok(AnsweredHead { status: head.status, headers: head.headers, rest })
            }
            Connection::Two(sender) => send_http2(sender, asked).await,
        }
    }
}

async fn send_http2(
    mut sender: Sender,
    asked: &RequestHead<'_>,
) -> Result<AnsweredHead, Unanswered> {
    let request = asked.http2().map_err(Unanswered::Failed)?;
    if sender.ready().await.is_err() {
        return Err(Unanswered::Unsent);
    }
    let answer = sender.try_send_request(request).await.map_err(|mut error| {
        if error.take_message().is_some() {
            return Unanswered::Unsent;
        }
        let error = error.into_error();
        Unanswered::Failed(match error.is_parse() || error.is_parse_too_large() {
            true => Failed::of_page(Reason::Protocol, chain(&error)),
            false => Failed::of_host(Reason::Protocol, chain(&error)),
        })
    })?;
    let (parts, incoming) = answer.into_parts();
    let (status, headers) = (parts.status.as_u16(), head::texts(&parts.headers));
    Ok(AnsweredHead { status, headers, rest: RestOfAnswer::Two(sender, incoming) })
}

impl RestOfAnswer {
    /// Reads the body, of which `limit` bytes are wanted.
    pub(super) async fn read(
        self,
        limit: usize,
        seen: &AnswerSoFar,
    ) -> Result<(Payload, Option<KeptConnection>), Failed> {
        match self {
            RestOfAnswer::One { mut wire, body, kept_for } => {
                let payload = wire.body(body, limit, seen).await?;
                let kept = (Connection::One(wire), kept_for);
                let is_good = payload.truncated.is_none() && payload.is_at_end;
                Ok((payload, is_good.then_some(kept)))
            }
            RestOfAnswer::Two(sender, incoming) => {
                let payload = body::read(incoming, limit, seen).await?;
                Ok((payload, Some((Connection::Two(sender), None))))
            }
        }
    }

    /// Leaves the body unread. Of HTTP/2 its stream alone is ended. A connection of HTTP/1 is kept where little is
    /// left to come on it, and closed where more is.
    pub(super) async fn leave(
        self,
        why: &'static str,
        seen: &AnswerSoFar,
    ) -> (Payload, Option<KeptConnection>) {
        let payload = Payload { bytes: Vec::new(), truncated: Some(why), is_at_end: false };
        let kept = match self {
            RestOfAnswer::One { mut wire, body, kept_for } => {
                let is_short = body.length().is_some_and(|length| length <= MOST_DRAINED);
                let is_drained = is_short && {
                    let drained = wire.body(body, MOST_DRAINED as usize, seen);
                    let rest = timeout(LONGEST_DRAIN, drained).await;
                    matches!(rest, Ok(Ok(rest)) if rest.truncated.is_none() && rest.is_at_end)
                };
                is_drained.then_some((Connection::One(wire), kept_for))
            }
            RestOfAnswer::Two(sender, _) => Some((Connection::Two(sender), None)),
        };
        seen.count(0);
        (payload, kept)
    }
}

/// An error with what caused it.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}
