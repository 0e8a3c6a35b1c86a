//! One connection to a server, in HTTP/1.1 or HTTP/2, with the bounds that hold before a body is read.

use crate::fetch::Failed;
use bytes::Bytes;
use fyke_store::Reason;
use http_body_util::Empty;
use hyper::Response;
use hyper::body::Incoming;
use hyper::client::conn::{http1, http2};
use hyper::rt::{Read, Write};
use hyper_util::rt::TokioExecutor;
use std::future::Future;

/// Bytes of a head. The count of its headers is bounded by hyper, at 100, where they fit the stack.
const HEAD_BYTES: usize = 64 * 1024;
/// What an HTTP/2 server may send before it has to wait for us.
const WINDOW: u32 = 256 * 1024;

/// A request has no body.
pub(super) type Request = hyper::Request<Empty<Bytes>>;

/// A connection that takes one request after the other.
#[derive(Debug)]
pub(super) enum Connection {
    One(http1::SendRequest<Empty<Bytes>>),
    Two(http2::SendRequest<Empty<Bytes>>),
}

/// Why a request brought no head.
pub(super) struct Unanswered {
    pub(super) error: hyper::Error,
    /// Nothing of it left this machine.
    pub(super) is_unsent: bool,
}

impl Connection {
    /// Starts HTTP on a stream; the connection's own task ends when its last user is gone.
    pub(super) async fn start(
        io: impl Read + Write + Unpin + Send + 'static,
        is_http2: bool,
    ) -> Result<Connection, Failed> {
        let started = if is_http2 { start_http2(io).await } else { start_http1(io).await };
        started.map_err(|e| Failed::of_host(Reason::Protocol, chain(&e)))
    }

    pub(super) fn is_http2(&self) -> bool {
        matches!(self, Connection::Two(_))
    }

    pub(super) fn is_closed(&self) -> bool {
        match self {
            Connection::One(sender) => sender.is_closed(),
            Connection::Two(sender) => sender.is_closed(),
        }
    }

    /// Waits until it takes a request; `false` when it never will.
    pub(super) async fn is_ready(&mut self) -> bool {
        match self {
            Connection::One(sender) => sender.ready().await.is_ok(),
            Connection::Two(sender) => sender.ready().await.is_ok(),
        }
    }

    /// Sends a request and waits for the head of its answer.
    pub(super) async fn send(
        &mut self,
        request: Request,
    ) -> Result<Response<Incoming>, Unanswered> {
        let sent = match self {
            Connection::One(sender) => sender.try_send_request(request).await,
            Connection::Two(sender) => sender.try_send_request(request).await,
        };
        sent.map_err(|mut error| {
            let is_unsent = error.take_message().is_some();
            Unanswered { error: error.into_error(), is_unsent }
        })
    }
}

async fn start_http1(
    io: impl Read + Write + Unpin + Send + 'static,
) -> Result<Connection, hyper::Error> {
    let (sender, connection) = http1::Builder::new()
        .max_buf_size(HEAD_BYTES)
        .max_header_size(HEAD_BYTES)
        .allow_spaces_after_header_name_in_responses(true)
        .ignore_invalid_headers_in_responses(true)
        .handshake(io)
        .await?;
    run(connection);
    Ok(Connection::One(sender))
}

async fn start_http2(
    io: impl Read + Write + Unpin + Send + 'static,
) -> Result<Connection, hyper::Error> {
    let (sender, connection) = http2::Builder::new(TokioExecutor::new())
        .max_header_list_size(HEAD_BYTES as u32)
        .initial_stream_window_size(WINDOW)
        .initial_connection_window_size(WINDOW)
        .handshake(io)
        .await?;
    run(connection);
    Ok(Connection::Two(sender))
}

fn run(connection: impl Future<Output = Result<(), hyper::Error>> + Send + 'static) {
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection ended");
        }
    });
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
