//! One connection in HTTP/1.1 with nothing around it: no pool, no names, no limits of time. For those who measure
//! the reader, or try what servers may answer.

use super::AnswerSoFar;
use super::wire::{Headless, Wire};
use fyke_web::{Capture, Url};
use tokio::io::{AsyncRead, AsyncWrite};

/// A connection that takes one request after the other.
#[doc(hidden)]
#[derive(Debug)]
pub struct BareWire(Wire);

impl BareWire {
    #[must_use]
    pub fn new(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> BareWire {
        BareWire(Wire::new(stream))
    }

    /// The capture that the answer to a request gives, where `limit` bytes of its body are wanted.
    ///
    /// # Errors
    /// In words, when it gives none.
    pub async fn ask(
        &mut self,
        url: &Url,
        request: &[u8],
        limit: usize,
    ) -> Result<Capture, String> {
        let (head, body) = self.0.send(request).await.map_err(|why| match why {
            Headless::Closed(what) | Headless::Broken(what) => what,
        })?;
        let payload = self.0.body(body, limit, &AnswerSoFar::default()).await;
        let payload = payload.map_err(|failed| failed.detail)?;
        Ok(Capture {
            url: url.clone(),
            time: 0,
            status: head.status,
            headers: head.headers,
            payload: payload.bytes,
            truncated: payload.truncated.map(str::to_owned),
        })
    }
}
