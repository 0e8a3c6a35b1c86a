//! The payload of an answer in HTTP/2, up to its limit.

use super::AnswerSoFar;
use super::connection::chain;
use super::wire::{FIRST_ROOM, Payload};
use crate::fetch::Failed;
use fyke_store::Reason;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

/// Reads `limit` bytes at most.
pub(super) async fn read(
    mut body: Incoming,
    limit: usize,
    seen: &AnswerSoFar,
) -> Result<Payload, Failed> {
    let hint = usize::try_from(body.size_hint().lower()).unwrap_or(limit);
    let mut bytes = Vec::with_capacity(hint.min(limit).min(FIRST_ROOM));
    let mut truncated = None;
    while let Some(frame) = body.frame().await {
        let frame = match frame {
            Ok(frame) => frame,
            Err(error) if bytes.is_empty() => {
                return Err(Failed::of_page(Reason::Protocol, chain(&error)));
            }
            Err(_) => {
                truncated = Some("disconnect");
                break;
            }
        };
        let Some(data) = frame.data_ref() else { continue };
        let room = limit - bytes.len();
        bytes.extend_from_slice(&data[..data.len().min(room)]);
        seen.count(bytes.len());
        if data.len() > room {
            truncated = Some("length");
            break;
        }
    }
    Ok(Payload { bytes, truncated, is_at_end: truncated.is_none() })
}
