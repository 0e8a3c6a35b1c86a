//! Gzip: what is inside, by its own format.

use super::{Converted, Inner, Source};
use fyke_web::capture::{Came, gunzip};

/// Most bytes of the file inside.
const MOST_BYTES: usize = 48 << 20;

pub(super) fn convert(inner: &Inner<'_>) -> Converted {
    let most = inner.budget.left().min(MOST_BYTES);
    let (bytes, came) = gunzip(inner.source.bytes, most);
    inner.budget.take(bytes.len());
    let trouble = match came {
        Came::Whole => "",
        Came::Cut => "the compressed file is too large",
        Came::Short | Came::Broken => "the compressed file is damaged",
    };
    let source = Source { bytes: &bytes, content_type: None, extension: "" };
    inner.convert(source).with_trouble(trouble)
}
