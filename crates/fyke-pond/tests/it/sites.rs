//! The ordinary sites and the truth, asked from outside.

use std::collections::{HashMap, HashSet, VecDeque};

use encoding_rs::Encoding;
use fyke_pond::{Answer, Ask, Body, Hazards, Pond, Size, Truth, plan, sites};

fn pond(seed: u64) -> Pond {
    Pond::new(seed, Size::default(), Hazards::none())
}

fn get(pond: &Pond, url: &str) -> Answer {
    let rest = url.strip_prefix("http://").expect("the pond speaks http");
    let (host, path) = rest.split_at(rest.find('/').expect("a path"));
    pond.answer(&Ask::get(host, path))
}

fn bytes(answer: Answer) -> Vec<u8> {
    let Body::Bytes(bytes) = answer.body else { panic!("not a plain body") };
    bytes
}

/// Targets of `href="…"` outside the head, made absolute.
fn links(url: &str, html: &[u8]) -> Vec<String> {
    let html = String::from_utf8_lossy(html);
    let body = html.split_once("<body>").map_or("", |(_, body)| body);
    let host = &url[..url[7..].find('/').expect("a path") + 7];
    let href = |rest: &str| rest.split('"').next().unwrap_or("").replace("&amp;", "&");
    let absolute =
        |link: String| if link.starts_with('/') { format!("{host}{link}") } else { link };
    body.split("href=\"").skip(1).map(href).map(absolute).collect()
}

/// Clicks from the seeds to every page that can be reached.
fn depths(pond: &Pond) -> HashMap<String, usize> {
    let mut depths: HashMap<String, usize> = pond.seeds().into_iter().map(|s| (s, 0)).collect();
    let mut queue: VecDeque<String> = pond.seeds().into();
    while let Some(url) = queue.pop_front() {
        let answer = get(pond, &url);
        assert_eq!(answer.status, 200, "{url}");
        let depth = depths[&url] + 1;
        let out = links(&url, &bytes(answer));
        assert!(out.len() > 2, "{url} is a dead end");
        for link in out {
            if !depths.contains_key(&link) {
                depths.insert(link.clone(), depth);
                queue.push_back(link);
            }
        }
    }
    depths
}

fn urls(pond: &Pond) -> HashSet<String> {
    let of = |host: plan::PondHost| -> Vec<String> {
        sites::paths(pond, &host).map(|path| format!("http://{}{path}", host.name)).collect()
    };
    plan::hosts(pond).flat_map(of).collect()
}

#[test]
fn every_page_is_reached_from_the_seeds_within_twelve_clicks() {
    let pond = pond(7);
    let (depths, urls) = (depths(&pond), urls(&pond));
    assert!(urls.len() >= plan::CORE_PAGES && plan::CORE_PAGES >= 1_500, "{} pages", urls.len());
    let reached: HashSet<String> = depths.keys().cloned().collect();
    assert_eq!(reached.symmetric_difference(&urls).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(depths.values().all(|depth| *depth <= 12), "{:?}", depths.values().max());
}

#[test]
fn extra_hosts_are_reached_too() {
    let pond = Pond::new(3, Size { hosts: 60, pages: 2_500 }, Hazards::none());
    assert_eq!(depths(&pond).len(), urls(&pond).len());
    assert!(urls(&pond).len() >= 2_500);
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_gives_others() {
    let (one, same, other) = (pond(7), pond(7), pond(8));
    let mut differ = 0;
    let mut all: Vec<String> = urls(&one).into_iter().collect();
    all.sort_unstable();
    for url in all.iter().step_by(8).take(200) {
        let page = bytes(get(&one, url));
        assert_eq!(page, bytes(get(&same, url)), "{url}");
        let answer = get(&other, url);
        differ += usize::from(answer.status != 200 || bytes(answer) != page);
    }
    assert!(differ > 150, "{differ} of 200 pages differ");
}

#[test]
fn the_last_page_of_a_web_of_a_million_pages_answers() {
    let pond = Pond::new(7, Size { hosts: 100_000, pages: 1_000_000 }, Hazards::none());
    assert!(plan::hosts(&pond).map(|host| host.items).sum::<usize>() >= 1_000_000);
    let last = plan::hosts(&pond).last().unwrap();
    let path = sites::paths(&pond, &last).last().unwrap();
    assert_eq!(get(&pond, &format!("http://{}{path}", last.name)).status, 200);
    let directory = bytes(get(&pond, "http://directory.test/hosts/1000"));
    assert!(String::from_utf8(directory).unwrap().contains(&last.name));
    for url in ["http://directory.test/hosts/1001", "http://dept-99999.test/"] {
        assert_eq!(get(&pond, url).status, 404, "{url}");
    }
}

#[test]
fn every_page_of_the_truth_answers_in_its_charset_and_holds_its_main_text() {
    let pond = pond(7);
    for page in pond.truth().pages {
        let answer = get(&pond, &page.url);
        assert_eq!(answer.status, 200, "{}", page.url);
        let header = answer.headers.iter().find(|(name, _)| *name == "content-type").unwrap();
        let named = header.1.split_once("charset=").map(|(_, charset)| charset.to_owned());
        assert_eq!(named.as_deref().unwrap_or(page.charset), page.charset, "{}", page.url);
        let html = bytes(answer);
        let (text, _, bad) = Encoding::for_label(page.charset.as_bytes()).unwrap().decode(&html);
        assert!(!bad, "{} is not {}", page.url, page.charset);
        assert!(text.contains(&format!("<meta charset=\"{}\">", page.charset)), "{}", page.url);
        let words = page.main_text.lines().max_by_key(|line| line.len()).unwrap();
        let start: String = words.chars().take(15).collect();
        assert!(text.contains(&start), "{}: {start}", page.url);
        assert!(!page.main_text.contains(['<', '>', '{', '}', '\u{fffd}']), "{}", page.url);
        assert!(page.main_text.len() > 60, "{}", page.url);
    }
}

#[test]
fn all_encodings_and_languages_are_there() {
    let truth = pond(7).truth();
    let charsets: HashSet<&str> = truth.pages.iter().map(|page| page.charset).collect();
    for charset in
        ["UTF-8", "windows-1250", "windows-1251", "ISO-8859-2", "Shift_JIS", "gb18030", "EUC-KR"]
    {
        assert!(charsets.contains(charset), "{charset}");
    }
    for code in fyke_pond::languages::CODES {
        let count = truth.pages.iter().filter(|page| page.language == code).count();
        assert!(count >= 20, "{count} pages in {code}");
    }
}

/// Cohen's kappa over the grades of both judges.
fn kappa(truth: &Truth) -> f64 {
    let total = truth.qrels.len() as f64;
    let agreed = truth.qrels.iter().filter(|q| q.grade_a == q.grade_b).count() as f64 / total;
    let chance = (0..4).map(|grade| {
        let a = truth.qrels.iter().filter(|q| q.grade_a == grade).count() as f64;
        let b = truth.qrels.iter().filter(|q| q.grade_b == grade).count() as f64;
        a * b / (total * total)
    });
    let chance: f64 = chance.sum();
    (agreed - chance) / (1.0 - chance)
}

#[test]
fn forty_queries_have_answers_and_two_judges_who_mostly_agree() {
    let truth = pond(7).truth();
    assert_eq!(truth.queries.len(), 40);
    let urls: HashSet<&str> = truth.pages.iter().map(|page| page.url.as_str()).collect();
    for query in &truth.queries {
        let mine = || truth.qrels.iter().filter(|qrel| qrel.query == query.id);
        let relevant = mine().filter(|qrel| qrel.grade_a > 0).count();
        assert!((5..=60).contains(&relevant), "{}: {relevant} relevant", query.text);
        assert!(mine().filter(|qrel| qrel.grade_a == 3).count() >= 2, "{}", query.text);
        assert!(mine().all(|qrel| urls.contains(qrel.url.as_str())), "{}", query.text);
    }
    let kappa = kappa(&truth);
    assert!((0.6..=0.95).contains(&kappa), "kappa {kappa}");
}

#[test]
fn comments_and_teasers_are_not_main_text() {
    let pond = pond(7);
    let host = plan::host(&pond, "crafts.test").unwrap();
    let mut with_comments = 0;
    for path in sites::paths(&pond, &host) {
        let page = pond.page(&host.name, &path).unwrap();
        let html = String::from_utf8(page.html.clone()).unwrap();
        with_comments += usize::from(html.contains("id=\"comments\""));
        let text = page.main_text();
        for noise in ["wrote:", "Also of interest", "Related pages", "keeps one crumb"] {
            assert!(!text.contains(noise), "{path}: {noise}");
        }
    }
    assert!(with_comments > 50, "{with_comments}");
}

#[test]
fn an_unchanged_page_is_not_sent_again() {
    let pond = pond(7);
    let first = get(&pond, "http://wiki.test/");
    for (asked, given) in [("if-none-match", "etag"), ("if-modified-since", "last-modified")] {
        let value = &first.headers.iter().find(|(name, _)| *name == given).unwrap().1;
        let headers = [(asked, value.as_str())];
        let ask = Ask { headers: &headers, ..Ask::get("wiki.test", "/") };
        assert_eq!(pond.answer(&ask).status, 304, "{asked}");
        let other = Ask { headers: &headers, ..Ask::get("wiki.test", "/about") };
        assert_eq!(pond.answer(&other).status, 200, "{asked}");
    }
}

#[test]
fn only_live_pages_change_and_only_in_their_digits() {
    let pond = Pond::new(7, Size::default(), Hazards::default());
    let changes: HashSet<String> = pond.truth().changes.into_iter().map(|c| c.url).collect();
    assert_eq!(changes.len(), 12);
    let host = plan::host(&pond, "courier.test").unwrap();
    let mut changed = 0;
    for path in sites::paths(&pond, &host) {
        let later = Ask { now_ms: 3_600_000, ..Ask::get(&host.name, &path) };
        let (before, after) =
            (get(&pond, &format!("http://courier.test{path}")), pond.answer(&later));
        let tag_kept = before.headers[0] == after.headers[0];
        let (before, after) = (bytes(before), bytes(after));
        assert_eq!(before.len(), after.len(), "{path}");
        assert_eq!(before == after, tag_kept, "{path}");
        let mut pairs = before.iter().zip(&after).filter(|(a, b)| a != b);
        assert!(pairs.all(|(a, b)| a.is_ascii_digit() && b.is_ascii_digit()), "{path}");
        let known = changes.contains(&format!("http://courier.test{path}"));
        assert!(known || before == after, "{path}");
        changed += usize::from(before != after);
    }
    assert!(changed >= 6, "{changed} pages changed in an hour");
}

#[test]
fn a_wrong_slug_or_number_is_missing() {
    let pond = pond(7);
    for url in [
        "http://wiki.test/wiki/no_such_entry_1",
        "http://wiki.test/entries/page/999",
        "http://wiki.test/entries/page/01",
        "http://courier.test/reports/?page=0",
        "http://europe.test/de/99999999999999999999.html",
        "http://nowhere.test/",
    ] {
        assert_eq!(get(&pond, url).status, 404, "{url}");
    }
}
