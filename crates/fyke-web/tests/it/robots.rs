//! robots.txt: groups, strength of rules, odd files.

use fyke_web::Robots;
use proptest::prelude::*;
use std::time::Duration;

fn check(robots: &str, path: &str, allowed: bool) {
    let verdict = Robots::parse(robots.as_bytes(), "fyke").check(path);
    assert_eq!(verdict.allowed, allowed, "{path} by {robots:?}: {verdict:?}");
}

#[test]
fn the_group_of_the_agent_binds_it_and_no_other() {
    check("User-agent: *\nDisallow: /\n\nUser-agent: fyke\nDisallow: /x", "/y", true);
    check("User-agent: *\nDisallow: /\n\nUser-agent: fyke\nDisallow: /x", "/x", false);
    check("User-agent: *\nDisallow: /\n\nUser-agent: FYKE/1.0\nAllow: /", "/y", true);
    check("User-agent: fyke\n\nUser-agent: other\nDisallow: /", "/y", false);
    check("User-agent: fyke\nDisallow:\n\nUser-agent: *\nDisallow: /", "/y", true);
    check("User-agent: fykebot\nDisallow: /", "/y", true);
    check("User-agent: fyke-news\nDisallow: /", "/y", true);
    check("User-agent: other\nDisallow: /", "/y", true);
    check("Disallow: /", "/y", true);
}

#[test]
fn groups_of_one_agent_are_merged() {
    let text = "User-agent: fyke\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\n\
        user-agent: Fyke\nDisallow: /b";
    check(text, "/a", false);
    check(text, "/b", false);
    check(text, "/c", true);
    let shared = "User-agent: a\nUser-agent: fyke\nSitemap: http://x.test/\n\
        Disallow: /a\nUser-agent: b\nDisallow: /b";
    check(shared, "/a", false);
    check(shared, "/b", true);
}

#[test]
fn the_longest_rule_wins_and_allow_wins_a_tie() {
    let check =
        |rules: &str, path, allowed| check(&format!("User-agent: *\n{rules}"), path, allowed);
    check("Disallow: /\nAllow: /p", "/page", true);
    check("Allow: /folder\nDisallow: /folder", "/folder/page", true);
    check("Allow: /page\nDisallow: /*.htm", "/page.htm", false);
    check("Allow: /page\nDisallow: /*.ph", "/page.php5", true);
    check("Allow: /$\nDisallow: /", "/", true);
    check("Allow: /$\nDisallow: /", "/page.htm", false);
    check("Disallow: /x?*id=", "/x?a=1&id=2", false);
    check("Disallow: /", "/robots.txt", true);
    check("Disallow: ", "/x", true);
}

#[test]
fn odd_spellings_are_understood() {
    check("\u{FEFF}User-agent: *\nDisallow: /x", "/x", false);
    check("user agent: *\rdissallow : /x", "/x", false);
    check("USERAGENT:*\r\nDISALLOW:/x", "/x", false);
    check("User-agent *\nDisallow /x", "/x", false);
    check("User-agent: * # all\nDisallow: /x # not this\n", "/x", false);
    check("User-agent: *\nNonsense\n\nDisallow: /x", "/x", false);
}

#[test]
fn a_file_in_utf_16_is_read() {
    let text = "User-agent: *\r\nDisallow: /x\r\nSitemap: /é.xml";
    let coded = |bytes: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
        mark.encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    for mark in ["", "\u{FEFF}"] {
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let robots = Robots::parse(&coded(bytes, mark), "fyke");
            assert!(!robots.check("/x").allowed && robots.check("/y").allowed, "{mark:?}");
            assert_eq!(robots.sitemaps, ["/é.xml"]);
        }
    }
}

#[test]
fn a_page_in_place_of_the_file_gives_no_rules() {
    let page = "<!DOCTYPE html>\n<title>Not found</title>\n<p>User-agent: *</p>\nDisallow: /";
    check(page, "/x", true);
}

#[test]
fn a_verdict_names_its_rule_and_line() {
    let robots =
        Robots::parse(b"# hello\r\nUser-agent: *\r\n\r\nDisallow: /tmp/  # mine\r\n", "fyke");
    let verdict = robots.check("/tmp/x");
    assert_eq!((verdict.rule.as_deref(), verdict.line), (Some("Disallow: /tmp/"), Some(4)));
    let free = robots.check("/x");
    assert_eq!((free.allowed, free.rule, free.line), (true, None, None));
}

#[test]
fn crawl_delay_belongs_to_a_group_and_sitemaps_to_none() {
    let delay = |text: &str| Robots::parse(text.as_bytes(), "fyke").crawl_delay;
    assert_eq!(delay("User-agent: *\nCrawl-delay: 2.5"), Some(Duration::from_millis(2_500)));
    assert_eq!(
        delay("User-agent: *\nCrawl-delay: 9\nDisallow: /y\nUser-agent: fyke\nDisallow: /x"),
        None
    );
    assert_eq!(delay("User-agent: *\nCrawl-delay: 1e9"), Some(Duration::from_secs(1)));
    assert_eq!(delay("User-agent: *\nCrawl-delay: 99999999999"), Some(Duration::from_secs(86_400)));
    assert_eq!(delay("User-agent: *\nCrawl-delay: -1"), None);
    assert_eq!(delay("User-agent: *\nCrawl-delay: soon"), None);
    let robots =
        Robots::parse(b"Sitemap: http://a.test/1.xml\nUser-agent: x\nsitemap: /2.xml", "fyke");
    assert_eq!(robots.sitemaps, ["http://a.test/1.xml", "/2.xml"]);
}

#[test]
fn a_line_is_read_up_to_a_limit() {
    // As far as the slash behind the letters.
    let path = |sign: &str, key: &str| format!("/x/{}", sign.repeat(16_662 - 3 - key.len()));
    let (a, b) = (path("a", "Allow: "), path("b", "Disallow: "));
    let text = format!("User-agent: *\nDisallow: /x\nAllow: {a}/qux\n");
    check(&text, &format!("{a}/fux"), true);
    check(&text, &a, false);
    let text = format!("User-agent: *\nDisallow: {b}/qux\n");
    check(&text, &format!("{b}/fux"), false);
    check(&text, &b, true);
}

#[test]
fn only_the_first_500_kibibytes_count_and_no_rule_is_cut_in_two() {
    let mut text = "User-agent: *\nDisallow: /early\n".to_owned();
    while text.len() < 500 * 1_024 - 20 {
        text.push_str("# filling\n");
    }
    let head = text.len();
    text.push_str(&format!("Disallow: /{}\nDisallow: /late\n", "x".repeat(512_000 - head)));
    for text in [&text, &text[..500 * 1_024], &format!("\u{FEFF}{}", &text[..500 * 1_024 - 3])] {
        check(text, "/early", false);
        check(text, "/late", true);
        check(text, "/xxxx", true);
        check(text, "/", true);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read(bytes: Vec<u8>, path in ".{0,40}") {
        let robots = Robots::parse(&bytes, "fyke");
        prop_assert_eq!(robots.check(&path).line.is_some(), robots.check(&path).rule.is_some());
    }

    #[test]
    fn a_pattern_without_signs_is_a_prefix(path in "/[a-z/]{0,6}", pattern in "/[a-z/]{0,3}") {
        let text = format!("User-agent: *\nDisallow: {pattern}");
        let robots = Robots::parse(text.as_bytes(), "fyke");
        prop_assert_eq!(robots.check(&path).allowed, !path.starts_with(&pattern));
    }
}
