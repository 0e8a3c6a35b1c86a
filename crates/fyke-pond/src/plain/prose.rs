//! What plain pages are cut from: titles, sentences and paragraphs of the pond's English sites, made
//! once, so that a page costs a few copies of memory and no thought.

use crate::{Hazards, Pond, Size, plan, sites};
use std::sync::Arc;

/// Pages of the pond that give their prose.
const PAGES: usize = 400;
/// A block of text from this length on is a paragraph.
const PARAGRAPH: usize = 160;

/// Pieces of prose; cheap to clone.
#[derive(Clone, Debug)]
pub struct PlainProse {
    pub titles: Arc<[Title]>,
    pub paragraphs: Arc<[Box<str>]>,
}

/// A title, and how it stands in a URL.
#[derive(Debug)]
pub struct Title {
    pub text: Box<str>,
    pub slug: Box<str>,
}

impl PlainProse {
    pub fn new(seed: u64) -> PlainProse {
        let pond = Pond::new(seed, Size::default(), Hazards::none());
        let (mut titles, mut paragraphs) = (Vec::new(), Vec::new());
        let pages = plan::hosts(&pond).flat_map(|host| {
            let paths: Vec<String> = sites::paths(&pond, &host).collect();
            let page = |path: String| sites::page(&pond, &host, &path, 0);
            paths.into_iter().filter_map(page).collect::<Vec<_>>()
        });
        let english = pages.filter(|page| page.language == "en" && page.topic.is_some());
        for page in english.take(PAGES) {
            titles.push(Title { slug: slug(&page.title), text: page.title.as_str().into() });
            let text = page.main_text();
            paragraphs.extend(text.lines().filter(|l| l.len() >= PARAGRAPH).map(Box::from));
        }
        PlainProse { titles: titles.into(), paragraphs: paragraphs.into() }
    }
}

fn slug(title: &str) -> Box<str> {
    let lower = title.to_ascii_lowercase();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.take(6).collect::<Vec<_>>().join("-").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_prose_enough_and_it_is_plain_text() {
        let prose = PlainProse::new(7);
        assert!(prose.titles.len() > 200 && prose.paragraphs.len() > 400);
        let clean = |text: &str| !text.contains(['<', '>', '"', '&', '\n']);
        assert!(prose.titles.iter().all(|title| clean(&title.text) && !title.slug.is_empty()));
        assert!(prose.paragraphs.iter().all(|paragraph| clean(paragraph)));
    }
}
