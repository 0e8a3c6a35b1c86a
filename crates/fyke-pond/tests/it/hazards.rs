//! Each hazard does what its row says. Mostly without sockets: an answer is a plain value.

use crate::client::{Reply, get, pond, start};
use flate2::read::GzDecoder;
use fyke_pond::hazards::{self, HAZARDS};
use fyke_pond::robots::{self, Agent};
use fyke_pond::{Answer, AnswerKind, Ask, Body, Hazards, Pond, Truth};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Read;

fn ask(host: &str, path: &str) -> Answer {
    pond(Hazards::default()).answer(&Ask::get(host, path))
}

fn body(answer: &Answer) -> String {
    match &answer.body {
        Body::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("no plain body: {other:?}"),
    }
}

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value)
}

#[test]
fn rows_are_unique_described_and_reachable() {
    let pond = pond(Hazards::default());
    let mut names = BTreeSet::new();
    let mut hosts = BTreeSet::new();
    for row in HAZARDS {
        assert!(names.insert(row.name), "{} twice", row.name);
        assert!(row.what.len() > 30 && row.what.ends_with('.'), "{}", row.name);
        assert!(row.hosts.iter().all(|host| hosts.insert(*host)), "{} shares a host", row.name);
        for (url, anchor) in row.links {
            assert!(url.starts_with("http://") && !anchor.is_empty(), "{}", row.name);
        }
        let host = row.hosts.first().copied().unwrap_or_default();
        let is_shown = row.links.iter().any(|(url, _)| url.contains(host));
        assert!(host.is_empty() || is_shown, "nothing leads to {}", row.name);
    }
    let resolving: BTreeSet<String> = pond.hosts().collect();
    assert!(hosts.iter().all(|host| resolving.contains(*host)));
    assert!(!resolving.contains("no-such-name.test"));
}

#[test]
fn every_home_page_stands_and_other_paths_are_missing() {
    let silent = ["robots-rules.test", "refused.test"];
    for host in HAZARDS.iter().flat_map(|row| row.hosts).filter(|host| !silent.contains(host)) {
        let home = ask(host, "/");
        assert_eq!((home.status, home.kind), (200, AnswerKind::Page), "{host}");
        let other = ask(host, "/no/such/page");
        assert_eq!(other.kind, AnswerKind::Missing, "{host}");
        assert_eq!(other.status, if *host == "soft404.test" { 200 } else { 404 }, "{host}");
    }
}

#[test]
fn hazards_can_be_switched_off() {
    let without = pond(Hazards::without(&["calendar", "disallowed"]));
    let ask = Ask::get("calendar.test", "/");
    assert_eq!(without.answer(&ask).status, 404);
    assert!(!without.hosts().any(|host| host == "calendar.test"));
    assert!(!hazards::links(&without).iter().any(|(url, _)| url.contains("calendar")));
    assert!(without.hosts().any(|host| host == "sessions.test"));
    let private = Ask::get("directory.test", "/private/minutes-1");
    assert_eq!(without.answer(&private).status, 404);
    assert_eq!(pond(Hazards::default()).answer(&private).kind, AnswerKind::Disallowed);
    assert_eq!(hazards::hosts(&pond(Hazards::none())), Vec::<String>::new());
}

#[test]
fn the_same_seed_gives_the_same_hazards_and_another_gives_others() {
    let [same, again] = [7, 7].map(|seed| Pond::new(seed, Default::default(), Hazards::default()));
    let other = Pond::new(8, Default::default(), Hazards::default());
    for host in hazards::hosts(&same) {
        let ask = Ask::get(&host, "/");
        assert_eq!(format!("{:?}", same.answer(&ask)), format!("{:?}", again.answer(&ask)));
        let silent = ["robots-rules.test", "refused.test"].contains(&host.as_str());
        let differs = format!("{:?}", same.answer(&ask)) != format!("{:?}", other.answer(&ask));
        assert_eq!(differs, !silent, "{host}");
    }
}

#[test]
fn robots_files_are_of_all_kinds() {
    let file = |host| ask(host, "/robots.txt");
    for row in HAZARDS {
        row.hosts.iter().for_each(|host| assert_eq!(file(host).kind, AnswerKind::Robots, "{host}"));
    }
    assert_eq!(file("robots-absent.test").status, 404);
    assert_eq!(file("robots-unavailable.test").status, 503);
    let moved = file("robots-moved.test");
    assert_eq!(moved.status, 302);
    assert_eq!(header(&moved, "location"), "http://robots-rules.test/shared.txt");
    assert!(body(&ask("robots-rules.test", "/shared.txt")).contains("Disallow: /cellar/"));
    assert!(header(&file("robots-html.test"), "content-type").starts_with("text/html"));
    assert!(body(&file("robots-delay.test")).contains("Crawl-delay: 1"));
    let huge = body(&file("robots-huge.test"));
    assert!(huge.len() >= 2_000_000);
    assert!(huge.find("/early/").is_some_and(|at| at < 500 * 1024));
    assert!(huge.find("/late/").is_some_and(|at| at > 500 * 1024));
    assert!(body(&file("directory.test")).contains("Disallow: /private/"));
}

#[test]
fn the_judge_knows_what_each_robots_file_forbids() {
    let pond = pond(Hazards::default());
    let check = |host: &str, path: &str, expected: bool| {
        let forbids = robots::rules(&pond, host).forbids;
        assert_eq!(forbids(Agent::Fyke, path), expected, "{host}{path}");
    };
    check("directory.test", "/", false);
    check("directory.test", "/private/minutes-1", true);
    check("directory.test", "/search?q=x", true);
    check("robots-groups.test", "/hall", false);
    check("robots-groups.test", "/cellar/box", true);
    check("robots-groups.test", "/attic/open-day", false);
    check("robots-wildcards.test", "/plan.pdf", true);
    check("robots-wildcards.test", "/plan.pdf.html", false);
    check("robots-wildcards.test", "/notes/drafts/one", true);
    check("robots-wildcards.test", "/drafts/two", false);
    check("robots-wildcards.test", "/letter?print=1", true);
    check("robots-wildcards.test", "/exact", true);
    check("robots-wildcards.test", "/exactly", false);
    check("robots-longest.test", "/store/closed", true);
    check("robots-longest.test", "/store/open/list", false);
    check("robots-longest.test", "/store/open/secret-list", true);
    check("robots-longest.test", "/tie-break", false);
    check("robots-longest.test", "/caf%C3%A9-menu", true);
    check("robots-absent.test", "/one", false);
    check("robots-unavailable.test", "/one", true);
    check("robots-moved.test", "/cellar/box", true);
    check("robots-huge.test", "/early/page", true);
    check("robots-huge.test", "/late/page", false);
    check("robots-untidy.test", "/cellar/box", true);
    check("robots-untidy.test", "/hall", false);
    assert_eq!(robots::agent(Some("Mozilla/5.0 (compatible; Fyke/1.0)")), Agent::Fyke);
    assert_eq!(robots::agent(None), Agent::Other);
    assert!((robots::rules(&pond, "robots-groups.test").forbids)(Agent::Other, "/hall"));
}

#[test]
fn a_window_opens_once_and_the_page_is_there_when_it_is_over() {
    let pond = pond(Hazards::default());
    for (host, status) in [("busy.test", 429), ("maintenance.test", 503)] {
        let at = |path, now_ms, visit, retry_until_ms| {
            let epoch_ms = 784_111_777_000;
            pond.answer(&Ask { now_ms, visit, retry_until_ms, epoch_ms, ..Ask::get(host, path) })
        };
        assert_eq!(at("/queue", 100, 0, 0).status, status);
        assert_eq!(at("/desk", 2099, 0, 2100).status, status);
        assert_eq!(at("/queue", 2100, 1, 2100).status, 200);
        assert_eq!(at("/desk", 2100, 0, 2100).status, 200);
        let named = header(&at("/queue", 100, 0, 0), "retry-after").to_owned();
        let date = "Sun, 06 Nov 1994 08:49:40 GMT";
        assert_eq!(named, if status == 429 { "2" } else { date });
    }
}

#[test]
fn redirects_chain_loop_and_point_inward() {
    let check = |host: &str, path: &str, to: &str, kind: AnswerKind| {
        let answer = ask(host, path);
        assert_eq!((header(&answer, "location"), answer.kind), (to, kind), "{host}{path}");
        assert!((300..400).contains(&answer.status), "{host}{path}");
    };
    check("redirects.test", "/hop/1", "/hop/2", AnswerKind::Other);
    check("redirects.test", "/hop/3", "/landed", AnswerKind::Other);
    check("redirects.test", "/chain/20", "/chain/21", AnswerKind::Other);
    check("redirects.test", "/chain/21", "/chain/22", AnswerKind::Trap);
    check("redirects.test", "/chain/30", "/chained", AnswerKind::Trap);
    check("redirects.test", "/loop/b", "http://redirects.test/loop/a", AnswerKind::Other);
    check("redirects.test", "/self", "/self", AnswerKind::Other);
    check("inward.test", "/metadata", "http://169.254.169.254/latest/", AnswerKind::Other);
    check("inward.test", "/inside", "http://10.0.0.1/", AnswerKind::Other);
    assert_eq!(ask("redirects.test", "/landed").kind, AnswerKind::Page);
    assert_eq!(ask("redirects.test", "/chain/31").status, 404);
}

#[test]
fn endless_spaces_begin_as_pages_and_become_traps() {
    let check = |host: &str, path: &str, kind: AnswerKind| {
        assert_eq!(ask(host, path).kind, kind, "{host}{path}");
    };
    check("calendar.test", "/2026/01", AnswerKind::Page);
    check("calendar.test", "/2026/02", AnswerKind::Trap);
    check("calendar.test", "/2022/01", AnswerKind::Page);
    check("calendar.test", "/2021/12", AnswerKind::Trap);
    check("calendar.test", "/2024/13", AnswerKind::Missing);
    assert!(body(&ask("calendar.test", "/2023/12")).contains("href=\"/2024/01\""));
    check("growing.test", &format!("/{}", "a/b/".repeat(8)), AnswerKind::Page);
    check("growing.test", &format!("/{}", "a/b/".repeat(9)), AnswerKind::Trap);
    check("growing.test", "/a/b/a/", AnswerKind::Missing);
    check("amp.test", "/list?a=1&b=1", AnswerKind::Page);
    check("amp.test", "/list?a=1&amp;b=1", AnswerKind::Page);
    check("amp.test", "/list?a=1&amp;amp;b=1", AnswerKind::Trap);
    assert!(body(&ask("amp.test", "/list?a=1&amp;b=1")).contains("a=1&amp;amp;amp;b=1"));
}

#[test]
fn one_page_has_one_identity_under_all_its_urls() {
    let pond = pond(Hazards::default());
    let mut aliases = hazards::aliases(&pond);
    assert!(aliases.len() > 30);
    aliases.retain(|alias| !alias.url.contains("canonical.test"));
    for alias in aliases {
        let parts = |url: &str| {
            let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
            (host.to_owned(), format!("/{path}"))
        };
        let ((host, path), (_, canonical)) = (parts(&alias.url), parts(&alias.canonical));
        let identity = hazards::row(&pond, &host).unwrap().identity;
        assert_ne!(path, canonical);
        assert_eq!(identity(&path), identity(&canonical), "{}", alias.url);
        let text = |path: &str| {
            let html = body(&pond.answer(&Ask::get(&host, path)));
            html[html.find("<p>").unwrap()..html.find("</p>").unwrap()].to_owned()
        };
        assert_eq!(text(&path), text(&canonical), "{}", alias.url);
    }
}

#[test]
fn session_ids_are_new_at_each_visit() {
    let pond = pond(Hazards::default());
    let home = Ask::get("sessions.test", "/");
    let (first, second) = (pond.answer(&home), pond.answer(&Ask { visit: 1, ..home }));
    assert_ne!(body(&first), body(&second));
    assert_eq!((first.kind, second.kind), (AnswerKind::Page, AnswerKind::Trap));
    assert!(body(&first).contains("?sid=") && body(&first).contains(";jsessionid="));
}

#[test]
fn copies_are_as_like_as_the_truth_says() {
    let twins = pond(Hazards::default()).truth().twins;
    let (near, exact): (Vec<_>, Vec<_>) = twins.iter().partition(|twin| twin.kind == "near");
    assert_eq!((exact.len(), near.len()), (13, 4));
    assert!(exact.iter().all(|twin| twin.jaccard == 1.0));
    let near: Vec<f64> = near.iter().map(|twin| twin.jaccard).collect();
    assert!(near.windows(2).all(|pair| pair[0] > pair[1]), "{near:?}");
    assert!(near[0] > 0.9 && near[0] < 1.0 && near[3] > 0.5 && near[3] < 0.8, "{near:?}");
    let (a, b) = (ask("copies.test", "/original/1"), ask("copies.test", "/copy/1"));
    assert_eq!(body(&a), body(&b));
}

#[test]
fn pages_that_twins_and_aliases_name_are_in_the_truth_and_answer_no_query() {
    let pond = pond(Hazards::default());
    let (truth, plain) = (pond.truth(), Pond::new(7, pond.size, Hazards::none()).truth());
    let ordinary = plain.pages.len();
    let added: BTreeMap<&str, _> =
        truth.pages[ordinary..].iter().map(|page| (page.url.as_str(), page)).collect();
    let twins = truth.twins.iter().flat_map(|twin| [&twin.a, &twin.b]);
    let named = twins.chain(truth.aliases.iter().map(|alias| &alias.canonical));
    assert_eq!(named.map(String::as_str).collect::<BTreeSet<_>>(), added.keys().copied().collect());
    assert_eq!(added.len(), truth.pages.len() - ordinary);
    for (url, page) in &added {
        let path = &url[7 + page.host.len()..];
        let answer = pond.answer(&Ask::get(&page.host, path));
        assert_eq!((answer.status, answer.kind), (200, AnswerKind::Page), "{url}");
        let (heading, text) = page.main_text.split_once('\n').unwrap();
        assert_eq!(heading, page.title, "{url}");
        assert!(text.len() > 200 && !text.contains(['<', '\n']), "{url}: {text}");
        assert!(body(&answer).contains(&format!("<h1>{heading}</h1>\n<p>{text}</p>")), "{url}");
        assert_eq!((page.kind, page.language, page.charset), ("hazard", "en", "UTF-8"));
        assert!(page.topic.is_none() && page.relevance.is_empty(), "{url}");
    }
    assert!(added.contains_key("http://amp.test/list?a=3&b=1"));
    let qrels = |truth: &Truth| format!("{:?} {:?}", truth.queries, truth.qrels);
    assert_eq!(qrels(&truth), qrels(&plain));
}

#[test]
fn changing_pages_stand_still_when_switched_off() {
    let path = "/live/tidal-energy";
    let check = |hazards: Hazards, changes: usize, is_same: bool| {
        let pond = pond(hazards);
        assert_eq!(pond.truth().changes.len(), changes);
        let first = Ask::get("courier.test", path);
        let later = Ask { now_ms: 30 * 86_400_000, ..first };
        let [first, later] = [first, later].map(|ask| pond.answer(&ask));
        assert_eq!((first.status, first.kind), (200, AnswerKind::Page));
        assert_eq!(body(&first) == body(&later), is_same);
        assert_eq!(first.headers == later.headers, is_same);
    };
    check(Hazards::default(), 12, false);
    check(Hazards::without(&["changing-pages"]), 0, true);
}

#[test]
fn wishes_stand_in_the_page_or_in_the_header() {
    assert!(body(&ask("meta.test", "/noindex")).contains("content=\"noindex\""));
    assert_eq!(header(&ask("x-robots.test", "/none"), "x-robots-tag"), "none");
    assert!(header(&ask("x-robots.test", "/otherbot"), "x-robots-tag").starts_with("otherbot:"));
    assert!(body(&ask("canonical.test", "/print/2")).contains("rel=\"canonical\""));
    let by_header = ask("canonical.test", "/print/1");
    assert_eq!(header(&by_header, "link"), "<http://canonical.test/article/1>; rel=\"canonical\"");
    assert!(body(&ask("nofollow.test", "/")).contains("rel=\"nofollow\" href=\"/untrusted/1\""));
}

#[test]
fn sitemaps_name_pages_that_nothing_links_to() {
    assert!(body(&ask("sitemap.test", "/robots.txt")).contains("/sitemap-index.xml"));
    let index = body(&ask("sitemap.test", "/sitemap-index.xml"));
    let mut only = BTreeSet::new();
    for file in ["/sitemap-pages.xml", "/sitemap-archive.xml.gz", "/sitemap.txt"] {
        assert!(index.contains(file));
        let answer = ask("sitemap.test", file);
        assert_eq!(answer.kind, AnswerKind::Sitemap);
        let Body::Bytes(mut bytes) = answer.body else { panic!("no bytes") };
        if file.ends_with(".gz") {
            let mut plain = Vec::new();
            GzDecoder::new(&bytes[..]).read_to_end(&mut plain).unwrap();
            bytes = plain;
        }
        let text = String::from_utf8(bytes).unwrap();
        only.extend((1..=9).filter(|n| text.contains(&format!("http://sitemap.test/only/{n}"))));
    }
    assert_eq!(only.len(), 9);
    assert_eq!(ask("sitemap.test", "/only/9").kind, AnswerKind::Page);
    assert!(!body(&ask("sitemap.test", "/")).contains("/only/"));
}

#[test]
fn ordinary_hosts_have_sitemaps_and_news_has_feeds() {
    let pond = pond(Hazards::default());
    let named = |host: &String| {
        host != "sitemap.test"
            && body(&pond.answer(&Ask::get(host, "/robots.txt"))).contains("Sitemap:")
    };
    let ordinary = Pond::new(7, pond.size, Hazards::none());
    let (with, all) = (ordinary.hosts().filter(named).count(), ordinary.hosts().count());
    assert!(with > all / 5 && with < all, "{with} of {all}");
    let sitemap = body(&ask("courier.test", "/sitemap.xml"));
    assert!(sitemap.contains("<loc>http://courier.test/"), "{sitemap}");
    for path in ["/feed.xml", "/atom.xml"] {
        let feed = ask("courier.test", path);
        assert_eq!((feed.status, feed.kind), (200, AnswerKind::Feed));
        assert_eq!(body(&feed).matches("<title>").count(), 21, "{}", body(&feed));
        let feed = body(&feed);
        let entries = feed.split("<title>").skip(2).map(|entry| {
            let (title, rest) = entry.split_once("</title>").unwrap();
            (title, rest.split("http://courier.test").nth(1).unwrap().split(['<', '"']).next())
        });
        for (title, path) in entries {
            let page = pond.page("courier.test", path.unwrap()).unwrap();
            assert_eq!((page.kind, page.title.as_str()), ("article", title));
        }
    }
    for n in 1..=8 {
        let feed = body(&ask("feeds.test", if n < 5 { "/feed.xml" } else { "/atom.xml" }));
        assert!(feed.contains(&format!("http://feeds.test/entry/{n}")));
        assert_eq!(ask("feeds.test", &format!("/entry/{n}")).kind, AnswerKind::Page);
    }
}

#[tokio::test]
async fn broken_answers_are_broken_on_the_wire() {
    let running = start().await;
    let length = |reply: &Reply| reply.headers["content-length"].parse::<usize>().unwrap();
    let short = get(&running, "lengths.test", "/short").await;
    assert_eq!(short.body.len() * 2, length(&short));
    let long = get(&running, "lengths.test", "/long").await;
    assert_eq!(long.body.len() / 2, length(&long));
    assert_eq!(get(&running, "closes.test", "/slam").await.body, b"");
    assert!(get(&running, "closes.test", "/half").await.text().ends_with("text/ht"));
    assert_eq!(get(&running, "closes.test", "/babble").await.status, 0);
    let huge = get(&running, "huge.test", "/huge").await;
    assert!(huge.body.len() > 12_000_000 && huge.body.len() == length(&huge));
    assert!(get(&running, "headers.test", "/long").await.headers["x-label"].len() > 1_000_000);
    let bomb = get(&running, "bomb.test", "/bomb").await;
    assert_eq!(bomb.headers["content-encoding"], "gzip");
    assert!(bomb.body.len() < 2_000_000);
}

#[test]
fn the_bomb_inflates_to_more_than_a_gigabyte() {
    let Body::Bytes(bomb) = ask("bomb.test", "/bomb").body else { panic!("no bytes") };
    let claimed = bomb.last_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes));
    assert!(claimed.is_some_and(|size| size > 1_000_000_000));
    let mut some = vec![0; 5 << 20];
    GzDecoder::new(&bomb[..]).read_exact(&mut some).unwrap();
    assert!(some.iter().all(|byte| *byte == b' '));
    let Body::Bytes(small) = ask("bomb.test", "/small").body else { panic!("no bytes") };
    let mut page = String::new();
    GzDecoder::new(&small[..]).read_to_string(&mut page).unwrap();
    assert!(page.contains("A small parcel"));
}

#[test]
fn files_that_are_no_text_and_malformed_pages_are_there() {
    for path in ["/image.png", "/archive.zip", "/blob", "/noise.txt", "/noise.html"] {
        let Body::Bytes(bytes) = ask("binary.test", path).body else { panic!("no bytes") };
        assert!(std::str::from_utf8(&bytes).is_err(), "{path}");
    }
    assert_eq!(header(&ask("binary.test", "/noise.txt"), "content-type"), "text/plain");
    assert_eq!(body(&ask("malformed.test", "/nested")).matches("<div>").count(), 20_000);
    assert!(body(&ask("malformed.test", "/cut")).ends_with("href=\"/ghost/cut"));
    assert_eq!(ask("malformed.test", "/ghost/comment").status, 404);
    assert_eq!(ask("malformed.test", "/found/base").kind, AnswerKind::Page);
}

/// All that a simple crawler asks of a host: links in double quotes, forbidden and nofollow areas
/// left out, one URL for each page, nothing beyond a trap.
fn walk(pond: &Pond, host: &str) -> BTreeMap<String, AnswerKind> {
    let row = hazards::row(pond, host).unwrap();
    let mut asked = BTreeMap::new();
    let mut queue = VecDeque::from(["/".to_owned()]);
    while let Some(path) = queue.pop_front() {
        let identity = (row.identity)(&path).into_owned();
        let avoided = (row.rules.forbids)(Agent::Fyke, &path) || (row.nofollow)(&path);
        if asked.contains_key(&identity) || avoided {
            continue;
        }
        let answer = pond.answer(&Ask::get(host, &path));
        asked.insert(identity, answer.kind);
        if let (Body::Bytes(bytes), false) = (&answer.body, answer.kind == AnswerKind::Trap) {
            let html = String::from_utf8_lossy(bytes);
            let links = html.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
            let links = links.map(|link| link.split('#').next().unwrap().replace("&amp;", "&"));
            let absolute = links.map(|l| if l.starts_with('/') { l } else { format!("{path}{l}") });
            queue.extend(
                absolute
                    .chain([header(&answer, "location").to_owned()])
                    .filter(|l| l.starts_with('/') && !l.contains("://") && !l.contains("//")),
            );
        }
        assert!(asked.len() <= 150, "{host} has no end");
    }
    asked
}

#[test]
fn no_hazard_host_needs_more_than_150_requests() {
    let pond = pond(Hazards::default());
    let sizes: BTreeMap<String, usize> = hazards::hosts(&pond)
        .into_iter()
        .map(|host| (host.clone(), walk(&pond, &host).len()))
        .collect();
    assert_eq!(sizes["sessions.test"], 9);
    assert_eq!(sizes["facets.test"], 7);
    assert_eq!(sizes["amp.test"], 4);
    assert_eq!(sizes["calendar.test"], 1 + 49 + 2);
    assert_eq!(sizes["growing.test"], 1 + 8 + 1);
    assert_eq!(sizes["nofollow.test"], 4);
    assert_eq!(sizes["mirror-a.test"], sizes["mirror-b.test"]);
    assert!(sizes.values().sum::<usize>() < 400, "{sizes:?}");
}

/// Starts of paths that some host reads on from.
const STARTS: [&str; 16] = [
    "/",
    "/sitemap",
    "/sitemap-",
    "/live/",
    "/list?a=",
    "/list?colour=",
    "/sheet/",
    "/room/",
    "/original/",
    "/hop/",
    "/chain/",
    "/only/",
    "/20",
    "/a/b/",
    "/reports/?page=",
    "/hosts/",
];

proptest! {
    #[test]
    fn no_path_breaks_an_answer(
        start in 0..STARTS.len(),
        rest in "[a-z0-9/?&=;.%é-]{0,12}|[0-9]{1,25}(/|.xml|&b=1)?",
    ) {
        let pond = pond(Hazards::default());
        let path = format!("{}{rest}", STARTS[start]);
        for host in pond.hosts() {
            let answer = pond.answer(&Ask::get(&host, &path));
            prop_assert!((200..600).contains(&answer.status));
        }
    }
}
