//! Webs in a string with everything that goes wrong: robots, redirects, retries, silence.

use crate::web::World;
use expect_test::expect;
use fyke_crawl::Stopped;
use fyke_store::{Collection, HostRow, Reason, RobotsCopy};
use fyke_web::Url;
use std::path::Path;
use std::time::Duration;

const GAP: Duration = Duration::from_secs(1);

#[tokio::test(start_paused = true)]
async fn robots_files_of_every_kind_are_obeyed() {
    let web = r#"
//- http://none.test/robots.txt status=404
//- http://none.test/
<p>No robots file: everything is allowed here.
//- http://down.test/robots.txt status=503
//- http://down.test/
<p>Nobody should see this.
//- http://heals.test/robots.txt status=500
//- http://heals.test/robots.txt | Content-Type: text/plain
User-agent: fyke
Disallow: /no
//- http://heals.test/
<a href=/no>no</a> <a href=/yes>yes</a>
//- http://heals.test/yes
<p>Yes, this page may be read by all.
//- http://moved.test/robots.txt status=301 | Location: http://other.test/rules
//- http://other.test/rules | Content-Type: text/plain
User-agent: *
Disallow: /
//- http://moved.test/
<p>Nobody should see this either.
//- http://round.test/robots.txt status=302 | Location: /robots.txt
//- http://round.test/
<p>A robots file that leads in circles is none.
//- http://html.test/robots.txt
<html><body>Disallow everything? No, a page.</body></html>
//- http://html.test/
<p>The robots file was a page, so nothing is forbidden.
//- http://dead.test/robots.txt fail=connect
"#;
    let hosts = ["none", "down", "heals", "moved", "round", "html", "dead"];
    let seeds = hosts.map(|host| format!("http://{host}.test/"));
    let world = World::new(web, &seeds.each_ref().map(String::as_str));
    let summary = world.crawl().await;
    assert_eq!(summary.stopped, Stopped::Finished);
    world.check(&expect![[r#"
        http://dead.test/ robots.unreachable connect: refused
        http://down.test/ robots.unreachable status 503
        http://heals.test/ kept
        http://heals.test/no robots Disallow: /no (line 2)
        http://heals.test/yes kept
        http://html.test/ kept
        http://moved.test/ robots Disallow: / (line 2)
        http://none.test/ kept
        http://round.test/ kept
    "#]]);
    world.check_polite(GAP);
    let asked = world.requested();
    assert_eq!(asked.iter().filter(|url| *url == "http://down.test/robots.txt").count(), 5);
    assert!(!asked.contains(&"http://moved.test/".to_owned()));
    // The next run tries them again.
    world.crawl().await;
    let asked = world.requested();
    assert_eq!(asked.iter().filter(|url| *url == "http://down.test/robots.txt").count(), 10);
    assert_eq!(asked.iter().filter(|url| *url == "http://none.test/robots.txt").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn crawl_delay_binds_and_one_slow_host_does_not_hold_up_another() {
    let web = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Crawl-delay: 7
//- http://a.test/
<a href=/1>1</a> <a href=/2>2</a>
//- http://b.test/ slow=25000
<p>This took its time to come here.
"#;
    let world = World::new(web, &["http://a.test/", "http://b.test/"]);
    world.crawl().await;
    let seen = world.web.0.requests();
    let of = |host: &str| -> Vec<_> { seen.iter().filter(|s| s.url.contains(host)).collect() };
    for pair in of("//a.test").windows(2) {
        assert!(pair[1].start >= pair[0].end + Duration::from_secs(7));
    }
    assert!(of("//a.test").last().expect("asked").end < of("//b.test")[1].end);
}

#[tokio::test(start_paused = true)]
async fn retry_after_is_kept_across_a_restart() {
    let web = r#"
//- http://a.test/ status=429 | Retry-After: 100
//- http://a.test/
<p>The page came in the end, after the wait.
"#;
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.budget.time = Some(5000);
    assert_eq!(world.crawl().await.stopped, Stopped::Time);
    let collection = world.collection();
    let host = collection.ledger.host("a.test").expect("readable").expect("known");
    assert_eq!(host.waits, "Retry-After");
    drop(collection);
    world.options.budget.time = None;
    assert_eq!(world.crawl().await.stopped, Stopped::Finished);
    world.check(&expect![[r#"
        http://a.test/ kept
    "#]]);
    world.check_polite(GAP);
    let times: Vec<_> = world.web.0.requests().iter().map(|seen| seen.start).collect();
    assert!(times[2] - times[1] >= Duration::from_secs(100), "{times:?}");
}

#[tokio::test(start_paused = true)]
async fn failures_are_tried_again_and_end_with_their_reason() {
    let web = r#"
//- http://a.test/
<a href=/five>5</a> <a href=/once>once</a> <a href=/slow>slow</a> <a href=/cut>cut</a>
<a href=/odd>odd</a> <a href=/missing>m</a>
//- http://a.test/five status=500
//- http://a.test/once status=502
//- http://a.test/once
<p>It worked at the second try, as it often does.
//- http://a.test/slow slow=90000
//- http://a.test/cut cut
<p>Half a page is better than no page at all
//- http://a.test/odd status=204
//- http://gone.invalid/
"#;
    let world = World::new(web, &["http://a.test/", "http://gone.invalid/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/cut kept cut short: disconnect
        http://a.test/five http.5xx status 500
        http://a.test/missing http.4xx status 404
        http://a.test/odd http.other status 204
        http://a.test/once kept
        http://a.test/slow timeout slow
        http://gone.invalid/ dns no such host
    "#]]);
    world.check_polite(GAP);
    assert_eq!(world.requested().iter().filter(|url| url.ends_with("/five")).count(), 3);
    assert_eq!(world.requested().iter().filter(|url| url.ends_with("/slow")).count(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_host_that_only_fails_is_given_up_and_taken_up_by_the_next_run() {
    let silence: String = (0..9).map(|n| format!("//- http://a.test/{n} fail=connect\n")).collect();
    let links: String = (0..9).map(|n| format!("<a href=/{n}>{n}</a> ")).collect();
    let web = format!("//- http://a.test/\n{links}\n{silence}");
    let world = World::new(&web, &["http://a.test/"]);
    let summary = world.crawl().await;
    assert_eq!(summary.reasons[&Reason::Connect], 9);
    assert_eq!(world.requested().len(), 2 + 5);
    world.crawl().await;
    assert_eq!(world.requested().len(), 2 + 10);
}

#[tokio::test(start_paused = true)]
async fn redirects_are_recorded_and_loops_end() {
    let chain: String = (0..14)
        .map(|n| format!("//- http://a.test/c{n} status=302 | Location: /c{}\n", n + 1))
        .collect();
    let web = format!(
        r#"{chain}
//- http://a.test/
<a href=/c0>chain</a> <a href=/ring1>ring</a> <a href=/ring2>ring</a> <a href=/self>self</a>
<a href=/out>out</a> <a href=/bad>bad</a>
//- http://a.test/ring1 status=301 | Location: /ring2
//- http://a.test/ring2 status=301 | Location: /ring1
//- http://a.test/self status=301 | Location: /self
//- http://a.test/out status=301 | Location: http://elsewhere.test/
//- http://a.test/bad status=301 | Location: mailto:me
"#
    );
    let world = World::new(&web, &["http://a.test/"]);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/bad http.other redirect: scheme "mailto" cannot be fetched, use http or https
        http://a.test/c0 redirect
        http://a.test/c1 redirect
        http://a.test/c10 redirect.loop more than 10 redirects in a row
        http://a.test/c2 redirect
        http://a.test/c3 redirect
        http://a.test/c4 redirect
        http://a.test/c5 redirect
        http://a.test/c6 redirect
        http://a.test/c7 redirect
        http://a.test/c8 redirect
        http://a.test/c9 redirect
        http://a.test/out redirect
        http://a.test/ring1 redirect.loop a ring of 2
        http://a.test/ring2 redirect.loop a ring of 2
        http://a.test/self redirect.loop a ring of 1
        http://elsewhere.test/ scope.host elsewhere.test
    "#]]);
    world.check_polite(GAP);
}

#[tokio::test(start_paused = true)]
async fn the_last_good_robots_txt_binds_when_it_cannot_be_had_again() {
    let web = r#"
//- http://a.test/robots.txt status=503
//- http://a.test/
<a href=/open>open</a> <a href=/closed>closed</a>
//- http://a.test/open
<p>A page that the last good copy allows.
//- http://a.test/closed
<p>A page that it forbids.
"#;
    let world = World::new(web, &["http://a.test/"]);
    let body = b"User-agent: *\nDisallow: /closed".to_vec();
    let robots = Some(RobotsCopy { fetched: 1, status: 200, body });
    let collection = world.collection();
    collection.ledger.put_host("a.test", &HostRow { robots, ..HostRow::default() }).unwrap();
    collection.sync().unwrap();
    drop(collection);
    world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/closed robots Disallow: /closed (line 2)
        http://a.test/open kept
    "#]]);
    let tries = world.requested().iter().filter(|url| url.ends_with("/robots.txt")).count();
    assert_eq!(tries, 5);
    world.check_polite(GAP);
}

#[tokio::test(start_paused = true)]
async fn sitemaps_are_read_and_do_not_count_as_pages() {
    let web = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /secret
Sitemap: http://a.test/sitemap.xml
Sitemap: http://a.test/secret.xml
Sitemap: http://a.test/list.txt
//- http://a.test/list.txt | Content-Type: text/plain
http://a.test/hidden
//- http://a.test/sitemap.xml | Content-Type: application/xml
<sitemapindex><sitemap><loc>http://a.test/part.xml</loc></sitemap></sitemapindex>
//- http://a.test/part.xml | Content-Type: application/xml
<urlset><url><loc>http://a.test/hidden</loc><lastmod>2024-05-01</lastmod><priority>0.8</priority>
<changefreq>Daily</changefreq></url><url><loc>http://b.test/</loc></url></urlset>
//- http://a.test/
<p>The home page names no other page of the site. <a href=/sitemap.xml>map</a>
//- http://a.test/hidden
<p>A page that only the sitemap knows about.
"#;
    let mut world = World::new(web, &["http://a.test/"]);
    world.options.budget.pages = Some(2);
    let summary = world.crawl().await;
    world.check(&expect![[r#"
        http://a.test/ kept
        http://a.test/hidden kept
        http://a.test/list.txt type sitemap: 1 URLs, 0 sitemaps
        http://a.test/part.xml type sitemap: 2 URLs, 0 sitemaps
        http://a.test/secret.xml robots Disallow: /secret (line 2)
        http://a.test/sitemap.xml type sitemap: 0 URLs, 1 sitemaps
        http://b.test/ scope.host b.test
    "#]]);
    assert_eq!((summary.budget_pages_used, summary.pages_fetched), (2, 2));
    world.check_polite(GAP);
    let hidden = world.collection().ledger.get(Url::parse("http://a.test/hidden").unwrap().id());
    let said = hidden.unwrap().and_then(|row| row.listed).unwrap();
    let words = (said.modified.as_deref(), said.change.as_deref(), said.priority);
    assert_eq!(words, (Some("2024-05-01"), Some("daily"), Some(80)));
    let whole = (world.requested().len(), world.ledger());
    // A rebuild makes the same documents, none of them of a sitemap.
    let mut collection = world.collection();
    assert_eq!(fyke_derive::derive_pages(&collection, |_| ()).expect("made"), 5);
    let documents = |collection: &Collection| -> Vec<_> {
        collection.documents.all().map(|document| document.expect("readable")).collect()
    };
    let before = documents(&collection);
    collection.begin_rebuild().expect("begun");
    assert_eq!(fyke_derive::derive_pages(&collection, |_| ()).expect("made"), 5);
    assert_eq!((documents(&collection), before.len()), (before, 2));
    drop(collection);
    world.crawl().await;
    assert_eq!((world.requested().len(), world.ledger()), whole);
}

#[tokio::test(start_paused = true)]
async fn a_probe_asks_robots_first_and_follows_politely() {
    let web = r#"
//- http://a.test/robots.txt | Content-Type: text/plain
User-agent: *
Disallow: /secret
//- http://a.test/old status=301 | Location: http://b.test/new
//- http://b.test/new
<title>New</title><p>The new home of the page, with words enough to be a text.
"#;
    let world = World::new(web, &[]);
    let probe = async |path: &str| {
        let url = Url::parse(&format!("http://a.test{path}")).expect("a URL");
        fyke_crawl::probe::probe_with(&world.web, &url, &world.options).await
    };
    let refused = probe("/secret/x").await;
    assert_eq!(refused.end.expect_err("no answer").reason, Reason::Robots);
    assert!(refused.way.hops.is_empty());
    let found = probe("/old").await;
    let document = fyke_derive::derive(&found.end.expect("an answer")).document;
    assert_eq!(document.expect("a document").title, "New");
    assert_eq!(found.way.hops.iter().map(|(_, status)| *status).collect::<Vec<_>>(), [301, 200]);
    let asked = world.requested();
    assert_eq!(asked[asked.len() - 2], "http://b.test/robots.txt");
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("readable");
        let to = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(std::fs::copy(entry.path(), to).expect("copied")),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_flipped_byte_in_the_ledger_stops_no_crawl() {
    let page = |n: u32| {
        let links: String = (n..n + 3).map(|k| format!("<a href=/{k}>x</a> ")).collect();
        format!("//- http://a.test/{n}\n<p>Page {n} tells of the weather. {links}\n")
    };
    let robots = "//- http://a.test/robots.txt\nUser-agent: *\nDisallow: /9\n";
    let web = robots.to_owned() + &(0..8).map(page).collect::<String>();
    let mut world = World::new(&web, &["http://a.test/0"]);
    world.options.budget.pages = Some(4);
    world.crawl().await;
    world.options.budget.pages = None;
    let before = tempfile::tempdir().expect("a folder");
    copy(world.dir.path(), before.path());
    let log = std::fs::read(world.dir.path().join("ledger/log/00000.log")).expect("a log");
    for at in (8..log.len()).step_by(41) {
        for folder in ["ledger", "captures", "documents"] {
            let _ = std::fs::remove_dir_all(world.dir.path().join(folder));
        }
        copy(before.path(), world.dir.path());
        let mut log = log.clone();
        log[at] ^= 0x55;
        std::fs::write(world.dir.path().join("ledger/log/00000.log"), log).expect("written");
        assert_eq!(world.crawl().await.stopped, Stopped::Finished, "byte {at}");
        assert!(world.count(Reason::Kept) >= 7, "byte {at}: {}", world.ledger());
    }
}
