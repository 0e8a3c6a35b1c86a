//! Feeds of every kind, whole and broken, and what any bytes make of the reader.

use super::*;
use proptest::prelude::*;

fn base() -> Url {
    Url::parse("http://a.test/news/feed.xml").unwrap()
}

fn feed(text: &str) -> Feed {
    read(text.as_bytes(), None, &base()).expect("a feed")
}

/// Figure 3.9 of 003, its blanks as they were before they were printed.
const FIGURE: &str = r#"<?xml version="1.0"?>
<rss version="2.0">
  <channel>
    <title>Search Engine News</title>
    <link>http://www.search-engine-news.org/</link>
    <description>News about search engines.</description>
    <language>en-us</language>
    <pubDate>Tue, 19 Jun 2008 05:17:00 GMT</pubDate>
    <ttl>60</ttl>
    <item>
      <title>Upcoming SIGIR Conference</title>
      <link>http://www.sigir.org/conference</link>
      <description>The annual SIGIR conference is coming!
        Mark your calendars and check for cheap flights.</description>
      <pubDate>Tue, 05 Jun 2008 09:50:11 GMT</pubDate>
      <guid>http://search-engine-news.org#500</guid>
    </item>
    <item>
      <title>New Search Engine Textbook</title>
      <link>http://www.cs.umass.edu/search-book</link>
      <description>A new textbook about search engines
        will be published soon.</description>
      <pubDate>Tue, 05 Jun 2008 09:33:01 GMT</pubDate>
      <guid>http://search-engine-news.org#499</guid>
    </item>
  </channel>
</rss>"#;

#[test]
fn the_example_of_the_book_is_read() {
    let found = feed(FIGURE);
    assert_eq!((found.kind, found.title.as_str()), (FeedKind::Rss, "Search Engine News"));
    assert_eq!(found.home.unwrap().as_str(), "http://www.search-engine-news.org/");
    assert_eq!(found.rhythm, FeedRhythm { ttl: Some(60), ..FeedRhythm::default() });
    let told: Vec<_> = found
        .items
        .iter()
        .map(|item| (item.title.as_str(), item.link.as_ref().unwrap().as_str(), item.time()))
        .collect();
    let expected = [
        ("Upcoming SIGIR Conference", "http://www.sigir.org/conference", Some(1_212_659_411)),
        ("New Search Engine Textbook", "http://www.cs.umass.edu/search-book", Some(1_212_658_381)),
    ];
    assert_eq!(told, expected);
    assert_eq!(found.items[0].guid, "http://search-engine-news.org#500");
    assert!(found.items[0].summary.starts_with("The annual SIGIR conference is coming!"));
    assert!(!found.is_cut);
}

/// The figure as it is printed: blanks in tags and URLs, elements translated. What can be read of it is.
#[test]
fn the_same_as_it_is_printed_breaks_nothing() {
    let printed = FIGURE.replace("<title>", "<title> ").replace("</title>", " </title>");
    let printed = printed.replace("<link>", "<link> ").replace("org/</link>", "org/\n </link>");
    let printed = printed.replace("</rss>", "</ rss >");
    let found = feed(&printed);
    assert_eq!(found.items.len(), 2);
    assert_eq!(
        found.items[1].link.as_ref().unwrap().as_str(),
        "http://www.cs.umass.edu/search-book"
    );
}

#[test]
fn every_kind_of_feed_gives_the_same_items() {
    let rss = "<rss version='2.0'><channel><title>T</title><link>/</link>\
        <item><title>One &amp; only</title><link>/1</link><guid isPermaLink='false'>g1</guid>\
        <author>ana@a.test (Ana)</author><pubDate>Tue, 05 Jun 2018 09:33:01 GMT</pubDate>\
        <description>&lt;p&gt;Eels &amp;amp; nets&lt;/p&gt;</description></item></channel></rss>";
    let cdata = "<rss version='0.92'><channel><title>T</title><link>/</link>\
        <item><title><![CDATA[One &amp; only]]></title><link><![CDATA[/1]]></link><guid isPermaLink='false'>g1</guid>\
        <dc:creator>Ana</dc:creator><dc:date>2018-06-05T09:33:01Z</dc:date>\
        <description><![CDATA[<p>Eels &amp; nets</p>]]></description></item></channel></rss>";
    let rdf = "<rdf:RDF xmlns:rdf='x'><channel rdf:about='/'><title>T</title><link>/</link></channel>\
        <item rdf:about='g1'><title>One &amp; only</title><link>/1</link><dc:creator>Ana</dc:creator>\
        <dc:date>2018-06-05T09:33:01Z</dc:date><description>&lt;p&gt;Eels &amp;amp; nets&lt;/p&gt;</description></item></rdf:RDF>";
    let atom = "<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title><link href='/'/>\
        <entry><title>One &amp; only</title><id>g1</id><link rel='replies' href='/no'/><link href='/1'/>\
        <author><email>ana@a.test</email><name>Ana</name><uri>/ana</uri></author>\
        <updated>2018-06-05T09:33:01Z</updated>\
        <summary type='html'>&lt;p&gt;Eels &amp;amp; nets&lt;/p&gt;</summary></entry></feed>";
    let prefixed = atom.replace("<entry", "<a:entry").replace("</entry", "</a:entry");
    let prefixed = prefixed.replace("<feed xmlns", "<a:feed xmlns:a").replace("</feed", "</a:feed");
    let prefixed = prefixed.replace("<title", "<a:title").replace("</title", "</a:title");
    let json = r#"{"version": "https://jsonfeed.org/version/1.1", "title": "T", "home_page_url": "/",
        "items": [{"id": "g1", "url": "/1", "title": "One & only", "authors": [{"name": "Ana"}],
        "date_published": "2018-06-05T09:33:01Z", "content_html": "<p>Eels &amp; nets</p>"}]}"#;
    for text in [rss, cdata, rdf, atom, &prefixed, json] {
        let found = feed(text);
        assert_eq!(
            (found.title.as_str(), found.home.as_ref().map(Url::path)),
            ("T", Some("/")),
            "{text}"
        );
        let [item] = &found.items[..] else { panic!("{} items: {text}", found.items.len()) };
        assert_eq!((item.key(), item.title.as_str()), ("g1", "One & only"), "{text}");
        assert_eq!(item.url().map(Url::as_str), Some("http://a.test/1"), "{text}");
        assert_eq!((item.author.as_str(), item.time()), ("Ana", Some(1_528_191_181)), "{text}");
        assert_eq!(item.text(), "<p>Eels &amp; nets</p>", "{text}");
        assert!(!found.is_cut, "{text}");
    }
}

/// The links of the items of a feed.
fn links(text: &[u8]) -> Vec<String> {
    let found = read(text, None, &base()).map(|feed| feed.items).unwrap_or_default();
    found.iter().filter_map(|item| item.url()).map(|url| url.as_str().to_owned()).collect()
}

fn rss(items: &str) -> String {
    format!("<?xml version='1.0'?><rss><channel><title>T</title>{items}</channel></rss>")
}

#[test]
fn broken_feeds_give_what_can_be_read() {
    let check = |text: &[u8], expected: &[&str]| {
        let expected: Vec<String> =
            expected.iter().map(|path| format!("http://a.test{path}")).collect();
        assert_eq!(links(text), expected, "{}", String::from_utf8_lossy(text));
    };
    let item = "<item><title>Fish & Chips &hellip; &c</title><link>/?p=1&x=2</link></item>";
    check(rss(item).as_bytes(), &["/?p=1&x=2"]);
    let two = "<item><title>a<link>/1</link></item><item><title>b</title><link>/2</link>";
    check(rss(two).as_bytes(), &["/1", "/2"]);
    check(
        rss("<item><title>a</Title><link>/1</link><item><link>/2</link>").as_bytes(),
        &["/1", "/2"],
    );
    check(
        rss("<item><description>x <p>y<br>z <b>w</description><link>/1</link></item>").as_bytes(),
        &["/1"],
    );
    check(&rss(two).as_bytes()[..105], &["/1", "/2"][..1]);
    check(format!("\n\n<br /><b>Warning</b>: x<br />{}", rss(item)).as_bytes(), &["/?p=1&x=2"]);
    check(rss("<item><guid>http://a.test/g</guid></item><item><guid isPermaLink='false'>http://a.test/h</guid></item>").as_bytes(), &["/g"]);
    check(
        rss("<item><title>pod</title><enclosure url='/1.mp3' type='audio/mpeg'/></item>")
            .as_bytes(),
        &["/1.mp3"],
    );
    check(rss("<image><title>I</title><link>/no</link></image><item><link>/1</link><source url='/s'>S</source></item>").as_bytes(), &["/1"]);
    check(
        rss("<item><link>/1</link><guid>x</guid></item><item><link>/1</link><guid>x</guid></item>")
            .as_bytes(),
        &["/1"],
    );
    check(
        rss("<item><link>/1</link><guid>x</guid></item><item><link>/2</link><guid>x</guid></item>")
            .as_bytes(),
        &["/1", "/2"],
    );
    check(b"<html><body>No feed", &[]);
    check(b"{\"version\": 1}", &[]);
    check(b"", &[]);
    let json = r#"{"version": "https://jsonfeed.org/version/1", "items": [{"id": 1, "url": "/1", "tags": [1, {}]}, {"id": 2, "url": "/2"}, {"id"#;
    check(json.as_bytes(), &["/1", "/2"]);
    let wide: Vec<u8> = "\u{FEFF}"
        .encode_utf16()
        .chain(rss(item).encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    check(&wide, &["/?p=1&x=2"]);
    check(rss(item).replace("'1.0'", "'1.0' encoding='utf-16'").as_bytes(), &["/?p=1&x=2"]);
}

#[test]
fn texts_come_out_as_html_whatever_they_are_written_in() {
    let text = |entry: &str, kind: &str| {
        let found = match kind {
            "atom" => feed(&format!("<feed><entry><link href='/1'/>{entry}</entry></feed>")),
            _ => feed(&rss(&format!("<item><link>/1</link>{entry}</item>"))),
        };
        found.items[0].text().to_owned()
    };
    let check =
        |entry: &str, kind, expected: &str| assert_eq!(text(entry, kind), expected, "{entry}");
    check(
        "<content type='xhtml'><div><p>a &amp; b<br/></p></div></content>",
        "atom",
        "<div><p>a &amp; b<br/></p></div>",
    );
    check("<content>1 &lt; 2</content>", "atom", "<p>1 &lt; 2</p>");
    check("<content type='html'>&lt;b&gt;x&lt;/b&gt;</content>", "atom", "<b>x</b>");
    check(
        "<description>short</description><content:encoded><![CDATA[<p>long</p>]]></content:encoded>",
        "rss",
        "<p>long</p>",
    );
    check("<description>a<p>b</p></description>", "rss", "a<p>b</p>");
    check(
        "<media:group><media:title>no</media:title><media:description>Film</media:description></media:group>",
        "rss",
        "Film",
    );
    check("<content src='/x' type='video/mp4'/><summary>s</summary>", "atom", "<p>s</p>");
}

#[test]
fn what_a_feed_says_of_its_rhythm_and_its_hubs_is_kept() {
    let found = feed(&rss(
        "<ttl> 90 </ttl><skipHours><hour>24</hour><hour>3</hour><hour>99</hour></skipHours>\
         <skipDays><day>Saturday</day><day>Sun</day><day>x</day></skipDays>\
         <atom:link rel='hub' href='http://hub.test/'/><atom:link rel='self' href='/feed.xml'/>\
         <item><title>x</title><ttl>3</ttl></item>",
    ));
    let expected = FeedRhythm { ttl: Some(90), skip_hours: 0b1001, skip_days: 0b110_0000 };
    assert_eq!(found.rhythm, expected);
    assert_eq!(found.hubs[0].as_str(), "http://hub.test/");
    assert_eq!(found.own.unwrap().as_str(), "http://a.test/feed.xml");
    let period =
        "<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>4</sy:updateFrequency>";
    assert_eq!(feed(&rss(period)).rhythm.ttl, Some(360));
    assert_eq!(feed(&rss("<ttl>-5</ttl>")).rhythm.ttl, None);
}

#[test]
fn an_edited_item_has_another_print_and_the_newest_of_two_stands() {
    let item = |text: &str, time: &str| {
        format!(
            "<item><guid>g</guid><link>/1</link><description>{text}</description><pubDate>{time}</pubDate></item>"
        )
    };
    let (old, new) = (item("old", "2020-01-01"), item("new", "2020-01-02"));
    for text in [rss(&format!("{old}{new}")), rss(&format!("{new}{old}"))] {
        let items = feed(&text).items;
        assert_eq!((items.len(), items[0].text()), (1, "new"));
    }
    let print = |text: &str| feed(&rss(text)).items[0].print();
    assert_ne!(print(&old), print(&new));
    assert_eq!(print(&old), print(&old.replace("2020", "2021")));
}

#[test]
fn limits_hold() {
    let many = rss(&"<item><link>/1</link></item>".repeat(MOST_ITEMS + 9));
    assert!(feed(&many).is_cut);
    let long = rss(&format!(
        "<item><link>/1</link><description>{}</description></item>",
        "x".repeat(3 * MOST_TEXT)
    ));
    assert_eq!(feed(&long).items[0].text().len(), MOST_TEXT);
    let deep = rss(&format!(
        "<item><link>/1</link><description>{}</description></item>",
        "<a>".repeat(100_000)
    ));
    assert_eq!(feed(&deep).items.len(), 1);
    let endless = format!("<rss><item><title>{}", "x".repeat(MOST_BYTES + 10));
    assert!(feed(&endless).is_cut);
}

#[test]
fn a_feed_is_known_by_type_and_first_bytes() {
    let check = |named: &str, text: &str, expected: bool| {
        let headers = vec![("content-type".to_owned(), named.to_owned())];
        let (payload, truncated) = (text.as_bytes().to_vec(), None);
        let capture = Capture { url: base(), time: 0, status: 200, headers, payload, truncated };
        assert_eq!(is_feed(&capture), expected, "{named} {text}");
    };
    check("application/rss+xml", "\n<!-- x --><rss version='2.0'>", true);
    check("text/xml", "<?xml version='1.0'?><rdf:RDF>", true);
    check("application/feed+json", "{\"version\": \"https://jsonfeed.org/version/1\"", true);
    check("text/html", "<rss>", false);
    check("application/xml", "<urlset>", false);
    check("application/json", "{\"a\": 1}", false);
    check("", "<feed>", true);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_bytes_are_read(bytes: Vec<u8>, markup in "(<(item|/item|entry|/entry|title|link|guid|/link|content type='xhtml'|/content|image|/image|author|name|/name|b)>|[a-z&;<>!\\[\\]/ ]{0,6}){0,60}") {
        let _ = read(&bytes, None, &base());
        for text in [format!("<rss><channel>{markup}"), format!("<feed>{markup}"), format!("<rdf:RDF>{markup}")] {
            let found = read(text.as_bytes(), None, &base()).expect("a feed");
            prop_assert!(found.items.iter().all(|item| item.text().len() <= MOST_TEXT + 16));
        }
    }

    #[test]
    fn a_break_takes_nothing_of_what_came_before(items in 1_usize..20, cut in 0_usize..2_000) {
        let whole: String = (0..items).map(|n| format!("<item><title>t{n}</title><link>/{n}</link></item>")).collect();
        let whole = rss(&whole);
        let cut = cut.min(whole.len());
        let ended = whole[..cut].matches("</item>").count();
        let found = links(&whole.as_bytes()[..cut]);
        prop_assert!(found.len() >= ended && found.len() <= ended + 1);
    }
}

#[test]
fn hubs_of_headers_count_for_more_than_those_of_the_feed() {
    let check = |link: &str, hub: &str, own: Option<&str>| {
        let url = Url::parse("http://a.test/feed").expect("a URL");
        let text = "<rss><channel><atom:link rel='hub' href='http://in.test/'/></channel></rss>";
        let headers = vec![("Link".to_owned(), link.to_owned())];
        let payload = text.as_bytes().to_vec();
        let capture = Capture { url, time: 0, status: 200, headers, payload, truncated: None };
        let feed = of_capture(&capture).expect("a feed");
        let hubs: Vec<&str> = feed.hubs.iter().map(Url::as_str).collect();
        assert_eq!((hubs, feed.own.as_ref().map(Url::as_str)), (vec![hub], own), "{link}");
    };
    check("", "http://in.test/", None);
    check("<http://out.test/>; rel=\"hub\"", "http://out.test/", None);
    check("</h>; rel=hub, </f>; rel=self", "http://a.test/h", Some("http://a.test/f"));
    check("<http://[>; rel=hub", "http://in.test/", None);
}
