//! Names: titles and URLs stuffed with words, and meta words of which the page does not speak (001 "Misleading
//! meta-tags").

use super::{PageEvidence, beyond};
use fyke_text::each_form;
use std::collections::BTreeSet;

/// The words of a text.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_form(text, |word| words.push(word.to_owned()));
    words
}

pub(super) const TITLE: PageEvidence = PageEvidence {
    name: "title",
    what: "stuffs its title",
    value: |view| {
        let words = words(&view.page.title);
        let distinct = words.iter().collect::<BTreeSet<_>>().len();
        let again = (words.len() - distinct) as f32 / words.len().max(1) as f32;
        let most = beyond(words.len() as f32, 16.0, 16.0);
        if words.len() < 5 { 0.0 } else { beyond(again, 0.2, 0.25) + most }
    },
};

/// Hyphens in a host's name, and words that a URL says twice.
pub(super) const URL: PageEvidence = PageEvidence {
    name: "url",
    what: "stuffs its address",
    value: |view| {
        let url = &view.capture.url;
        let hyphens = url.host().bytes().filter(|byte| *byte == b'-').count();
        let words = words(&url.path().replace(['-', '_', '/', '.', '+'], " "));
        let long = |word: &&String| word.len() > 3;
        let distinct = words.iter().filter(long).collect::<BTreeSet<_>>().len();
        let again = words.iter().filter(long).count() - distinct;
        beyond(hyphens as f32, 1.0, 2.0) + beyond(again as f32, 1.0, 2.0)
    },
};

/// The share of meta words that the page does not say, where there are many.
pub(super) const META: PageEvidence = PageEvidence {
    name: "meta",
    what: "names keywords of which it does not speak",
    value: |view| {
        let document = view.document;
        let named: BTreeSet<String> = words(&document.keywords).into_iter().collect();
        if named.len() < 6 {
            return 0.0;
        }
        let mut said: BTreeSet<String> = BTreeSet::new();
        for text in [&document.text, &document.title, &document.headings, &document.comments] {
            each_form(text, |word| {
                if named.contains(word) {
                    said.insert(word.to_owned());
                }
            });
        }
        let absent = 1.0 - said.len() as f32 / named.len() as f32;
        beyond(absent, 0.4, 0.4)
    },
};

pub(super) const META_LENGTH: PageEvidence = PageEvidence {
    name: "meta-length",
    what: "names very many keywords",
    value: |view| beyond(words(&view.document.keywords).len() as f32, 30.0, 60.0),
};
