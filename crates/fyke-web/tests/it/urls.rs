//! URLs: parts, errors, joining and the normal form.

use fyke_web::{Url, UrlError, authority_of, host_of};
use proptest::prelude::*;

fn check(text: &str, normal: &str) {
    let url = Url::parse(text).expect(text);
    assert_eq!(url.normal(), normal, "{text}");
    let again = Url::parse(normal).expect(normal);
    assert_eq!(again.normal(), normal, "{normal} is its own normal form");
    assert_eq!(again.id(), url.id(), "{text} and {normal} have one id");
}

#[test]
fn host_and_authority_are_found_in_the_text_of_a_url_as_in_the_url() {
    let urls = [
        "http://a.test",
        "https://A.test:8443/x:y/?z:1#b",
        "http://[::1]:80/",
        "http://[::1]:8080",
    ];
    for url in urls.map(|text| Url::parse(text).expect(text)) {
        let text = url.as_str();
        assert_eq!((host_of(text), authority_of(text)), (url.host(), url.authority()), "{text}");
    }
    for text in ["", "no url", "file:///a/b:1", "mailto:a@b.test"] {
        assert_eq!((host_of(text), authority_of(text)), ("", ""), "{text}");
    }
}

#[test]
fn spellings_of_one_address_share_a_normal_form() {
    check("http://a.test", "http://a.test/");
    check("HTTP://A.Test:80/", "http://a.test/");
    check("https://a.test:443/x", "https://a.test/x");
    check("http://a.test:8080/x", "http://a.test:8080/x");
    check("http://a.test./x", "http://a.test/x");
    check("http://user:secret@a.test/x", "http://a.test/x");
    check("  http://a.test/x#part ", "http://a.test/x");
    check("http://a.test/a/./b/../c", "http://a.test/a/c");
    check("http://a.test/a/%2E%2e/c", "http://a.test/c");
    check("http://a.test/%7efish/%c5%be", "http://a.test/~fish/%C5%BE");
    check("http://a.test/ž", "http://a.test/%C5%BE");
    check("http://a.test/a%2fb", "http://a.test/a%2Fb");
    check("http://a.test/100%", "http://a.test/100%25");
    check("http://a.test/%%341", "http://a.test/%2541");
    check("http://ŽABA.test/", "http://xn--aba-b3a.test/");
    check("http://[::1]:81/x", "http://[::1]:81/x");
    check("http://0x7f.1/", "http://127.0.0.1/");
    check("http://a.test\\x\\y", "http://a.test/x/y");
    check("http://a.test//x//y", "http://a.test//x//y");
    check("http://a.test/index.html", "http://a.test/index.html");
    for text in ["http://a.test/x{|}^?q={|}^", "http://a.test/x%7b%7C%7D%5e?q=%7B%7c%7d%5E"] {
        check(text, "http://a.test/x%7B%7C%7D%5E?q=%7B%7C%7D%5E");
    }
    check("http://a.test/a|b", "http://a.test/a%7Cb");
}

#[test]
fn queries_lose_order_sessions_and_tracking() {
    check("http://a.test/?", "http://a.test/");
    check("http://a.test/x?b=2&a=1", "http://a.test/x?a=1&b=2");
    check("http://a.test/x?a=2&b=1&a=1", "http://a.test/x?a=2&a=1&b=1");
    check("http://a.test/x?&&a=1&&", "http://a.test/x?a=1");
    check("http://a.test/x?a=1&amp;b=2", "http://a.test/x?a=1&b=2");
    check("http://a.test/x?a=1&amp;amp;amp;b=2", "http://a.test/x?a=1&b=2");
    check("http://a.test/x?utm_source=n&a=1&UTM_Medium=m&gclid=7&fbclid=8", "http://a.test/x?a=1");
    check("http://a.test/x?PHPSESSID=0a1b&sid=3&ASPSESSIONIDQACR=4", "http://a.test/x");
    check("http://a.test/x;jsessionid=0A1B", "http://a.test/x");
    check("http://a.test/x;jsessionid=0A1B/y;v=2?a=1", "http://a.test/x/y;v=2?a=1");
    check("http://a.test/..;jsessionid=1/y", "http://a.test/..;jsessionid=1/y");
    check("http://a.test/x?side=1&ssid=2", "http://a.test/x?side=1&ssid=2");
    check("http://a.test/x?q=%61%26b", "http://a.test/x?q=a%26b");
}

#[test]
fn the_parts_of_a_url_can_be_read() {
    let url = Url::parse("https://www.fish.example.co.uk:8443/a/b?c=d#e").unwrap();
    assert_eq!(url.as_str(), "https://www.fish.example.co.uk:8443/a/b?c=d");
    assert_eq!((url.scheme(), url.host(), url.port()), ("https", "www.fish.example.co.uk", 8443));
    assert_eq!(url.authority(), "www.fish.example.co.uk:8443");
    assert_eq!((url.path(), url.path_and_query()), ("/a/b", "/a/b?c=d"));
    assert_eq!(url.registrable_domain(), "example.co.uk");
    assert_eq!(
        url.at("/robots.txt").unwrap().as_str(),
        "https://www.fish.example.co.uk:8443/robots.txt"
    );
    let plain = Url::parse("http://a.test").unwrap();
    assert_eq!((plain.authority(), plain.port(), plain.scheme()), ("a.test", 80, "http"));
    let six = Url::parse("http://[2001:db8::1]/").unwrap();
    assert_eq!((six.host(), six.port()), ("[2001:db8::1]", 80));
}

#[test]
fn the_registrable_domain_decides_the_partition() {
    let check = |text: &str, domain: &str| {
        assert_eq!(Url::parse(text).unwrap().registrable_domain(), domain);
    };
    check("http://x.y.a.test/", "a.test");
    check("http://127.0.0.1/", "127.0.0.1");
    check("http://[::1]/", "[::1]");
    check("http://localhost/", "localhost");
    check("http://co.uk/", "co.uk");
    let partition = |text: &str| Url::parse(text).unwrap().partition();
    assert_eq!(partition("http://x.a.test/1"), partition("https://y.a.test:81/2"));
    // Pinned: what is on disk is laid out by it.
    assert_eq!(Url::parse("http://a.test/x?b=2&a=1").unwrap().id().0, PINNED_ID);
    assert_eq!(partition("http://a.test/"), PINNED_PARTITION);
}

const PINNED_ID: u64 = 3_623_128_424_804_590_864;
const PINNED_PARTITION: u8 = 210;

#[test]
fn what_cannot_be_fetched_is_refused_with_a_reason() {
    let check = |text: &str, expected: &str| {
        assert_eq!(Url::parse(text).unwrap_err().to_string(), expected);
    };
    check("ftp://a.test/", "scheme \"ftp\" cannot be fetched, use http or https");
    check("mailto:x@a.test", "scheme \"mailto\" cannot be fetched, use http or https");
    check("fish", "not a URL (relative URL without a base)");
    check("http://", "the URL names no host");
    check("http://./", "the URL names no host");
    check("http://a b/", "not a URL (invalid international domain name)");
    check("http://a.test:99999/", "not a URL (invalid port number)");
    check(&format!("http://a.test/{}", "x".repeat(2_048)), "the URL is longer than 2048 bytes");
    assert_eq!(
        Url::parse(&format!("http://a.test/ž{}", "x".repeat(99_999))),
        Err(UrlError::TooLong)
    );
    assert!(Url::parse(&format!("http://a.test/#{}", "x".repeat(9_000))).is_ok());
}

#[test]
fn links_are_joined_to_their_page() {
    let check = |link: &str, expected: &str| {
        let page = Url::parse("http://a.test:81/dir/page.html?q=1").unwrap();
        assert_eq!(page.join(link).expect(link).as_str(), expected, "{link}");
    };
    check("/x", "http://a.test:81/x");
    check("x/y.html", "http://a.test:81/dir/x/y.html");
    check("../x", "http://a.test:81/x");
    check("./x", "http://a.test:81/dir/x");
    check("?p=2", "http://a.test:81/dir/page.html?p=2");
    check("", "http://a.test:81/dir/page.html?q=1");
    check("#top", "http://a.test:81/dir/page.html?q=1");
    check("//b.test/x", "http://b.test/x");
    check("https://b.test/x?y#z", "https://b.test/x?y");
    check(" /a b\n", "http://a.test:81/a%20b");
    check("http:x", "http://a.test:81/dir/x");
    check("///b.test/x", "http://b.test/x");
    check(" /\\/b.test/../x", "http://b.test/x");
}

/// Text that is likely to come near the grammar of URLs.
fn near_urls() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/",
        "?",
        "&",
        "=",
        ";",
        "%",
        "%2e",
        "%41",
        "%4",
        "amp;",
        "..",
        ".",
        "a",
        "B",
        "7",
        "ž",
        "#",
        ":",
        "@",
        "jsessionid=1",
        "sid=2",
        "utm_x=3",
        "//",
        "\\",
        " ",
        "[",
        "-",
        "xn--",
        "'",
        "+",
        "(!",
        "$*)",
    ]);
    prop::collection::vec(pieces, 0..20).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in ".{0,200}") {
        if let Ok(url) = Url::parse(&text) {
            prop_assert!(!url.host().is_empty() && url.path().starts_with('/'));
            prop_assert_eq!(host_of(url.as_str()), url.host());
        }
    }

    #[test]
    fn the_normal_form_is_idempotent(rest in near_urls()) {
        if let Ok(url) = Url::parse(&format!("http://a.test/{rest}")) {
            let again = Url::parse(&url.normal()).expect("a normal form is a URL");
            prop_assert_eq!(again.normal(), url.normal());
            prop_assert_eq!(again.id(), url.id());
        }
    }

    #[test]
    fn joining_agrees_with_the_standard_parser(
        base in near_urls(), link in near_urls(), host in "[a-z0-9.-]{1,12}",
    ) {
        let (plain, secure) = (format!("http://{host}/{link}"), format!("https://{host}{link}"));
        for link in [link, plain, secure] {
            let page = Url::parse(&format!("http://a.test/{base}")).expect("a URL");
            let ours = page.join(&link).ok().map(|url| url.as_str().to_owned());
            prop_assert_eq!(ours, standard(page.as_str(), &link), "{} on {}", link, page);
        }
    }
}

/// What the full parser makes of a link, with our rules about users, fragments and dots.
fn standard(page: &str, link: &str) -> Option<String> {
    // The parser refuses a host behind more than two slashes, which the standard passes over.
    let link = link.trim_start();
    let bare = link.trim_start_matches(['/', '\\']);
    let link = if link.len() - bare.len() > 2 { format!("//{bare}") } else { link.to_owned() };
    let mut url = url::Url::parse(page).ok()?.join(&link).ok()?;
    url.set_fragment(None);
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    let host = url.host_str()?.trim_end_matches('.').to_owned();
    url.set_host(Some(&host)).ok()?;
    matches!(url.scheme(), "http" | "https").then(|| url.into())
}

#[test]
fn files_have_urls_in_a_collection_but_no_page_leads_to_them() {
    let file = Url::stored("file:///home/a%20b/eel.html?n=2#x").unwrap();
    assert_eq!(file.as_str(), "file:///home/a%20b/eel.html?n=2");
    assert_eq!((file.scheme(), file.host(), file.path()), ("file", "", "/home/a%20b/eel.html"));
    assert_eq!(Url::stored(&file.normal()).unwrap().id(), file.id());
    assert_eq!(file.join("pike.html").unwrap().as_str(), "file:///home/a%20b/pike.html");
    assert_eq!(file.join("../x y").unwrap().as_str(), "file:///home/x%20y");
    assert_eq!(file.join("http://a.test/").unwrap().as_str(), "http://a.test/");
    let page = Url::parse("http://a.test/").unwrap();
    assert!(page.join("file:///etc/hosts").is_err());
    assert!(Url::parse("file:///etc/hosts").is_err());
    assert!(Url::stored("file://host/share").is_err());
}
