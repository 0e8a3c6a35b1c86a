//! Pictures with a line of text each: pages that say little and are worth having all the same.

use super::{KindPage, SiteKind, document, html, item, list, split, text, title};

const ALBUMS: usize = 20;
const PICTURES: usize = 15;
const SITE: &str = "gallery.kinds.test";
const SIZES: [&str; 3] = ["small", "middle", "large"];

pub(super) const ROW: SiteKind = SiteKind {
    name: "gallery",
    host: SITE,
    what: "20 albums of 15 pictures in a row, a sentence under each, and three sizes of every picture by a parameter.",
    documents: ALBUMS * PICTURES,
    most_requests: 450,
    page,
};

fn path(album: usize, picture: usize) -> String {
    format!("/album/{album}/{picture}.html")
}

fn page(asked: &str) -> Option<KindPage> {
    let (asked, _) = split(asked);
    if asked == "/" {
        let album = |a: usize| item(&format!("/album/{a}/"), &title(SITE, 1_000 + a));
        let rows: String = (0..ALBUMS).map(album).collect();
        return list(html(SITE, "Albums", &format!("<ul>{rows}</ul>")));
    }
    let (album, picture) = asked.strip_prefix("/album/")?.split_once('/')?;
    let album = album.parse().ok().filter(|album| *album < ALBUMS)?;
    if picture.is_empty() {
        let picture = |p: usize| item(&path(album, p), &format!("Picture {p}"));
        let rows: String = (0..PICTURES).map(picture).collect();
        return list(html(SITE, &title(SITE, 1_000 + album), &format!("<ul>{rows}</ul>")));
    }
    let picture = picture.strip_suffix(".html")?.parse().ok().filter(|p| *p < PICTURES)?;
    let which = album * PICTURES + picture;
    let own = path(album, picture);
    let sizes = SIZES.map(|size| item(&format!("{own}?size={size}"), size)).concat();
    let steps = [(picture + 1) % PICTURES, (picture + PICTURES - 1) % PICTURES];
    let steps = steps.map(|step| item(&path(album, step), "Another picture")).concat();
    let main = format!("<img src=\"/i/{which}.jpg\"><p>{}</p>{sizes}{steps}", text(SITE, which, 1));
    document(which, html(SITE, &format!("Picture {picture} of album {album}"), &main))
}
