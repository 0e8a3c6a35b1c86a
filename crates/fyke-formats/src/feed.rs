//! The page of a feed's item: what the feed says of it as simple markup (003 §3.4: a feed's description "sometimes
//! contains the full text of the page"). It stands for the page itself until that is fetched.

use crate::html;
use fyke_web::capture::Came;
use fyke_web::escape::escape;
use fyke_web::feed::{FeedItem, iso_time, plain};
use fyke_web::page::Converted;
use fyke_web::{Capture, OpenCapture, Page, Url};

/// Characters of a text that stand for a title that is missing.
const MOST_TITLE: usize = 80;

/// The capture that an item of a feed stands for; none where it has no address.
#[must_use]
pub fn feed_capture(feed: &Capture, item: &FeedItem) -> Option<Capture> {
    let url: Url = item.url()?.clone();
    let Capture { time, status, .. } = *feed;
    Some(Capture { url, time, status, headers: Vec::new(), payload: Vec::new(), truncated: None })
}

/// The page of an item, whose capture this is.
#[must_use]
pub fn feed_page(capture: &Capture, item: &FeedItem) -> Page {
    let mut markup = html::fragment(item.text());
    let title = match item.title.is_empty() {
        true => first_words(&markup),
        false => item.title.clone(),
    };
    if markup.is_empty() && !title.is_empty() {
        markup = format!("<p>{}</p>", escape(&title));
    }
    let mut date = item.published.or(item.updated).map(iso_time).unwrap_or_default();
    date.truncate("2018-06-05".len());
    let author = item.author.clone();
    let converted = Converted { markup, title, author, date, ..Converted::default() };
    OpenCapture::converted(capture, "feed", converted, Came::Whole).page()
}

/// The first words of a text.
fn first_words(markup: &str) -> String {
    let line = plain(markup);
    match line.char_indices().nth(MOST_TITLE) {
        None => line,
        Some((end, _)) => {
            let cut = &line[..end];
            format!("{}…", cut.rsplit_once(' ').map_or(cut, |(whole, _)| whole))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fyke_web::feed::read;
    use fyke_web::refine;

    fn page(item: &str) -> Page {
        let url = Url::parse("http://a.test/feed.xml").expect("a URL");
        let text = format!("<rss><channel>{item}</channel></rss>");
        let feed = read(text.as_bytes(), None, &url).expect("a feed");
        let (headers, payload, truncated) = (Vec::new(), text.into_bytes(), None);
        let capture = Capture { url, time: 7, status: 200, headers, payload, truncated };
        let capture = feed_capture(&capture, &feed.items[0]).expect("an address");
        let page = feed_page(&capture, &feed.items[0]);
        assert_eq!((capture.time, capture.url.as_str()), (7, "http://a.test/1"));
        let document = refine(&capture, &page);
        assert_eq!(document.format, "feed");
        page
    }

    #[test]
    fn an_item_becomes_a_page() {
        let item = "<item><link>/1</link><title>Eels &amp; nets</title><dc:creator>Ana</dc:creator>\
            <pubDate>Tue, 05 Jun 2018 09:33:01 GMT</pubDate><description><![CDATA[<p>Of <b>eels</b>\
            <script>no()</script> and <a href='/2'>nets</a>.</p>]]></description></item>";
        let found = page(item);
        assert_eq!((found.title.as_str(), found.author.as_str()), ("Eels & nets", "Ana"));
        assert_eq!(found.date, "2018-06-05");
        assert_eq!(found.content, "<p>Of <b>eels</b> and <a href=\"/2\">nets</a>.</p>");
        assert_eq!(found.links[0].url.as_str(), "http://a.test/2");
    }

    #[test]
    fn what_is_missing_is_made_of_what_is_there() {
        let found = page("<item><link>/1</link><title>Only this</title></item>");
        assert_eq!(found.content, "<p>Only this</p>");
        let text = "<item><link>/1</link><description>One two three four five six seven eight nine ten \
            eleven twelve thirteen fourteen fifteen</description></item>";
        let title = page(text).title;
        assert!(title.starts_with("One two three") && title.ends_with('…'), "{title}");
        assert!(title.chars().count() <= MOST_TITLE + 1);
    }
}
