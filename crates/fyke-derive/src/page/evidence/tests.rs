//! Pages as data: what speaks of spam on each, and that on honest ones nothing does.

use super::*;
use crate::derive;
use fyke_web::Url;

/// The numbers of a page that are not 0, by name.
fn found(html: &str) -> Vec<&'static str> {
    let capture = Capture {
        url: Url::parse("http://a.test/page").unwrap(),
        time: 1,
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        payload: html.as_bytes().to_vec(),
        truncated: None,
    };
    let derived = derive(&capture);
    let (page, document) = (derived.page.unwrap(), derived.document.unwrap());
    let values = evidence(&capture, &page, (&document, &derived.links));
    assert_eq!(values.len(), PAGE_EVIDENCE.len());
    assert!(values.iter().all(|value| value.is_finite() && *value >= 0.0));
    let rows = PAGE_EVIDENCE.iter().zip(&values).filter(|(_, value)| **value > 0.0);
    rows.map(|(row, _)| row.name).collect()
}

const HONEST: &str = "The eel leaves the sea in spring as a thin glass needle, and goes up the river by night. Reeds grow \
    along the bank; in their shade small fish wait until the water is warm enough to spawn. Many a fisher has stood here \
    in the rain, and few have seen more than a ripple. Old weirs still stand where monks once kept their nets.";

#[test]
fn an_honest_page_gives_no_evidence() {
    let page = |head: &str, rest: &str| {
        found(&format!(
            "<title>The eel and its way up the river</title>{head}<h1>The eel</h1><p>{HONEST}</p>{rest}"
        ))
    };
    assert!(page("", "").is_empty());
    assert!(page("<meta name=keywords content='eel, river, sea'>", "<a href=/b>b</a>").is_empty());
    assert!(page("<script>if (old) { location = 'http://b.test/' }</script>", "").is_empty());
    assert!(page("<meta http-equiv=refresh content='300;url=/page'>", "").is_empty());
    assert!(page("", "<div style='display:none'>two words</div>").is_empty());
}

#[test]
fn each_trick_gives_its_evidence() {
    let check =
        |html: &str, name: &str| assert!(found(html).contains(&name), "{name}: {:?}", found(html));
    let stuffed = format!("<title>t</title><p>{}", "maui resort ".repeat(100));
    for name in ["top-word", "top-three", "repeated", "no-stop-words", "endless"] {
        check(&stuffed, name);
    }
    let words = "cheap maui hotel resort maui cheap flights maui hotel resort pills";
    check(&format!("<title>t</title><p>{HONEST}<p style='display:none'>{words}"), "hidden");
    check(&format!("<title>maui resort maui resort maui resort</title><p>{HONEST}"), "title");
    let head = "<title>t</title><meta name=keywords content='hotel, holiday inn, hilton, discount, booking, mp3'>";
    check(&format!("{head}<p>{HONEST}"), "meta");
    let away = "<title>t</title><script>window.location = \"http://b.test/\"</script>";
    check(&format!("{away}<p>{HONEST}"), "sends-away");
    check(
        &format!(
            "<title>t</title><meta http-equiv=refresh content='0;url=http://b.test/'><p>{HONEST}"
        ),
        "sends-away",
    );
    check("<title>t</title><p>Buy now.", "few-words");
    let links: String =
        (0..20).map(|n| format!("<li><a href=http://b.test/{n}>maui resort</a>")).collect();
    for name in ["links-out", "one-target", "same-anchors"] {
        check(&format!("<title>t</title><p>Buy.<ul>{links}</ul>"), name);
    }
    let broken = "The small eel goes up the river of the. \
        Old weirs stand by the the water and every. A fisher of the village and. \
        Reeds grow along the bank for a. In their shade the fish wait with. ";
    check(&format!("<title>t</title><p>{}", broken.repeat(3)), "broken");
}

#[test]
fn every_number_has_a_name_of_its_own_and_says_what_it_is() {
    let names: std::collections::BTreeSet<_> = PAGE_EVIDENCE.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), PAGE_EVIDENCE.len());
    assert!(PAGE_EVIDENCE.iter().all(|row| row.what.len() > 10));
}
