//! The feeds of a collection as OPML, for feed readers and other collections.

use fyke_store::{RowKind, StoreError, View};
use fyke_web::feed;
use fyke_web::opml::{OpmlFeed, write};

/// The list of all feeds that were read, by their addresses; of those that were fetched with credentials only if asked for.
///
/// # Errors
/// When the collection cannot be read.
pub fn opml(collection: &View, title: &str, private: bool) -> Result<OpmlList, StoreError> {
    let (mut feeds, mut left_out) = (Vec::new(), 0);
    for row in collection.ledger.rows() {
        let (_, row) = row?;
        let Some(place) = row.capture.filter(|_| row.kind == RowKind::Feed) else { continue };
        if row.private && !private {
            left_out += 1;
            continue;
        }
        // What cannot be read any more, or was none after all, is left out.
        let Ok(capture) = collection.captures.read(place) else { continue };
        let Some(found) = feed::of_capture(&capture) else { continue };
        let home = found.home.map(|url| url.as_str().to_owned()).unwrap_or_default();
        feeds.push(OpmlFeed { title: found.title, url: row.url, home });
    }
    feeds.sort_by(|a, b| a.url.cmp(&b.url));
    Ok(OpmlList { text: write(title, &feeds), feeds: feeds.len(), private: left_out })
}

/// A list that is ready to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpmlList {
    pub text: String,
    pub feeds: usize,
    /// Left out since they are private.
    pub private: usize,
}
