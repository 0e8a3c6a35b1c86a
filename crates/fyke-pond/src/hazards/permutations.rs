//! Query parameters in any order, and other spellings of the same URL (000 "URL normalization").

use super::{Hazard, PLAIN, prose};
use crate::truth::Alias;
use crate::{Answer, Ask, Pond};
use std::borrow::Cow;

pub const ROW: Hazard = Hazard {
    name: "parameter-order",
    hosts: &["facets.test"],
    what: "Six lists, each linked to under five spellings: parameters in both orders, an empty \
           parameter, a fragment, an escaped letter. A good crawler fetches each once; the rest \
           are duplicate fetches.",
    answer,
    links: &[("http://facets.test/", "Boxes by colour and size")],
    identity: |path| Cow::Owned(identity(path)),
    aliases: |_| aliases(),
    ..PLAIN
};

const COLOURS: [&str; 3] = ["brown", "grey", "green"];
const SIZES: [&str; 2] = ["small", "large"];

/// Parameters sorted, empty ones dropped.
fn identity(path: &str) -> String {
    let path = path.replace("%6C", "l").replace("%6c", "l");
    let Some((before, query)) = path.split_once('?') else { return path };
    let mut parameters: Vec<&str> = query.split('&').filter(|p| !p.is_empty()).collect();
    parameters.sort_unstable();
    format!("{before}?{}", parameters.join("&"))
}

/// The canonical form first.
fn spellings(colour: &str, size: &str) -> [String; 5] {
    [
        format!("/list?colour={colour}&size={size}"),
        format!("/list?size={size}&colour={colour}"),
        format!("/list?colour={colour}&&size={size}"),
        format!("/list?colour={colour}&size={size}#top"),
        format!("/%6Cist?colour={colour}&size={size}"),
    ]
}

fn boxes() -> impl Iterator<Item = (&'static str, &'static str)> {
    COLOURS.into_iter().flat_map(|colour| SIZES.map(|size| (colour, size)))
}

fn answer(pond: &Pond, ask: &Ask) -> Option<Answer> {
    let page = identity(ask.path);
    let known = Ask { path: &page, ..*ask };
    let links: Vec<String> = boxes()
        .flat_map(|(colour, size)| spellings(colour, size))
        .map(|url| format!("<li><a href=\"{}\">Boxes</a></li>\n", url.replace('&', "&amp;")))
        .collect();
    let links = format!("<ul>{}</ul>", links.concat());
    if page == "/" {
        return Some(prose::article(pond, &known, "Boxes by colour and size", &links));
    }
    let (colour, size) = boxes().find(|(colour, size)| spellings(colour, size)[0] == page)?;
    Some(prose::article(pond, &known, &format!("Boxes, {colour} and {size}"), &links))
}

fn aliases() -> Vec<Alias> {
    let host = "http://facets.test";
    boxes()
        .flat_map(|(colour, size)| {
            let [canonical, rest @ ..] = spellings(colour, size);
            let other = rest.into_iter().filter(|url| !url.contains('#'));
            other.map(move |url| Alias {
                url: format!("{host}{url}"),
                canonical: format!("{host}{canonical}"),
            })
        })
        .collect()
}
