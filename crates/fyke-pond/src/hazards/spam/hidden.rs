//! Text that crawlers read and readers do not see (001 "Hidden text with colors, style sheet tricks").

use super::{EACH, SpamMaker, SpamSort, page};

/// Pages with an honest text and stuffing in markup that hides it: head, and what stands around the stuffing.
fn hide(maker: &mut SpamMaker<'_>, ways: &[[&str; 3]]) {
    for n in 0..EACH {
        let words = 40 + maker.dice.below(200);
        let (stuffing, text) = (maker.stuffing(words), maker.prose(8));
        let [head, open, close] = ways[n % ways.len()];
        let title = format!("Notes from {}", maker.place());
        let hidden = format!("{open}{stuffing}{close}");
        let body = match n % 2 {
            0 => format!("<h1>{title}</h1><p>{text}</p>{hidden}"),
            _ => format!("{hidden}<h1>{title}</h1><p>{text}</p>"),
        };
        maker.put(format!("http://{}/", maker.host(n)), page(&title, head, &body));
    }
}

pub(super) const COLOUR_ATTRIBUTE: SpamSort = SpamSort {
    name: "hidden-by-attribute",
    what: "hides text in the colour of its ground, by attributes",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                ["", "<p><font color=\"#ffffff\">", "</font></p>"],
                [
                    "",
                    "<table bgcolor=\"#336699\"><tr><td><font color=\"#336699\">",
                    "</font></td></tr></table>",
                ],
                ["", "<font color=white size=1>", "</font>"],
            ],
        );
    },
};

pub(super) const COLOUR_CLASS: SpamSort = SpamSort {
    name: "hidden-by-class",
    what: "hides text in the colour of its ground, by a class",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                ["<style>.note{color:#fff}</style>", "<div class=\"note\">", "</div>"],
                [
                    "<style>body{background:#eef}.x{color:#eeeeff;font-size:10px}</style>",
                    "<p class=x>",
                    "</p>",
                ],
                ["<style>.k,.l{color:transparent}</style>", "<span class=\"w k\">", "</span>"],
            ],
        );
    },
};

pub(super) const COLOUR_SHEET: SpamSort = SpamSort {
    name: "hidden-by-sheet",
    what: "hides text in the colour of its ground, by a sheet far from it",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                [
                    "<style>#foot p span{color:white}</style>",
                    "<div id=foot><p><span>",
                    "</span></p></div>",
                ],
                [
                    "<style>@media screen{#z{background:#123456}#z *{color:rgb(18,52,86)}}</style>",
                    "<div id=z><p>",
                    "</p></div>",
                ],
                ["<style>h6{color:#fefefe}</style>", "<h6>", "</h6>"],
            ],
        );
    },
};

pub(super) const SIZE: SpamSort = SpamSort {
    name: "hidden-by-size",
    what: "hides text by its size",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                ["", "<p style=\"font-size:0\">", "</p>"],
                ["<style>.s{font-size:1px;line-height:1px}</style>", "<div class=s>", "</div>"],
                ["", "<div style=\"height:0;overflow:hidden\">", "</div>"],
            ],
        );
    },
};

pub(super) const OFF_SCREEN: SpamSort = SpamSort {
    name: "hidden-off-screen",
    what: "puts text where no screen shows it",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                ["", "<div style=\"position:absolute;left:-9999px\">", "</div>"],
                ["<style>.o{position:fixed;top:-5000px}</style>", "<div class=o><p>", "</p></div>"],
                ["", "<div style=\"text-indent:-9000px\">", "</div>"],
            ],
        );
    },
};

pub(super) const NOT_SHOWN: SpamSort = SpamSort {
    name: "hidden-not-shown",
    what: "has text that is never shown",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                ["", "<div style=\"display:none\">", "</div>"],
                ["<style>.q{visibility:hidden}</style>", "<div class=q>", "</div>"],
                ["", "<div hidden>", "</div>"],
            ],
        );
    },
};

pub(super) const BEHIND: SpamSort = SpamSort {
    name: "hidden-behind",
    what: "puts text behind something",
    is_spam: true,
    make: |maker| {
        hide(
            maker,
            &[
                [
                    "",
                    "<div style=\"background:#fff\"><p style=\"position:absolute;z-index:-1\">",
                    "</p></div>",
                ],
                [
                    "<style>.c{position:absolute;top:0;left:0;width:100%;height:100%;background:white}</style>",
                    "<div style=\"position:absolute;z-index:-5\">",
                    "</div><div class=c></div>",
                ],
            ],
        );
    },
};
