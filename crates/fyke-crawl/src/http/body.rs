//! The payload of an answer, up to its limit.

use super::Seen;
use super::connection::chain;
use crate::fetch::Failed;
use fyke_store::Reason;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

/// Room made before anything has come: a liar about its length costs no more.
const FIRST_ROOM: usize = 1 << 20;

/// The payload up to `limit`, and the WARC word for why it is not whole.
pub(super) async fn read(
    mut body: Incoming,
    limit: usize,
    seen: &Seen,
) -> Result<(Vec<u8>, Option<String>), Failed> {
    let hint = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
    let mut payload = Vec::with_capacity(hint.min(limit).min(FIRST_ROOM));
    while let Some(frame) = body.frame().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) if payload.is_empty() => {
                return Err(Failed::of_page(Reason::Protocol, chain(&error)));
            }
            Err(_) => return Ok((payload, Some("disconnect".to_owned()))),
        };
        let Some(bytes) = frame.data_ref() else { continue };
        let room = limit - payload.len();
        payload.extend_from_slice(&bytes[..bytes.len().min(room)]);
        seen.count(payload.len());
        if bytes.len() > room {
            return Ok((payload, Some("length".to_owned())));
        }
    }
    Ok((payload, None))
}
