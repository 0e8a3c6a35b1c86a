//! OpenSearch descriptions: where a site's search can be asked, and in which form it answers.

use crate::html::{HtmlToken, Scanner, name};

/// Most forms that are read.
const MOST: usize = 50;

/// A form in which the site answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerForm {
    /// Media type in lower case, without parameters.
    pub media_type: String,
    /// The address, with `{searchTerms}` where the words go.
    pub template: String,
    /// Number of the first result and of the first page (1 unless the site says otherwise).
    pub index_offset: u32,
    pub page_offset: u32,
}

/// The forms that give results, as listed. Never fails: what is no description has none.
#[must_use]
pub fn parse(text: &str) -> Vec<AnswerForm> {
    let tags = Scanner::local(text).filter_map(|token| match token {
        HtmlToken::Start(tag) if tag.name == name("url") => Some(tag),
        _ => None,
    });
    let form = |tag: crate::html::Tag<'_>| {
        let is_results = tag.attribute("rel").is_none_or(|rel| rel == "results");
        let number = |name| tag.attribute(name).and_then(|text| text.trim().parse().ok());
        let media_type = tag.attribute("type")?;
        let media_type = media_type.split(';').next().unwrap_or_default().trim().to_lowercase();
        is_results.then_some(AnswerForm {
            media_type,
            template: tag.attribute("template")?.trim().to_owned(),
            index_offset: number("indexOffset").unwrap_or(1),
            page_offset: number("pageOffset").unwrap_or(1),
        })
    };
    tags.filter_map(form).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_are_listed_with_their_addresses() {
        let text = "<?xml version='1.0'?><os:OpenSearchDescription><os:ShortName>a</os:ShortName>\
            <os:Url type='application/atom+xml; charset=utf-8' indexOffset='0'\
            template='http://a.test/?q={searchTerms}&amp;n={count?}'/>\
            <Url rel='suggestions' type='application/x-suggestions+json' template='http://a.test/s'/>\
            <Url type='text/html' pageOffset='x' template='http://a.test/h'></Url><Url type='x/y'/>";
        let found = parse(text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].media_type, "application/atom+xml");
        assert_eq!(found[0].template, "http://a.test/?q={searchTerms}&n={count?}");
        assert_eq!((found[0].index_offset, found[0].page_offset), (0, 1));
        assert_eq!((found[1].media_type.as_str(), found[1].page_offset), ("text/html", 1));
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(\\PC|<Url |template=|['\"<>]){0,60}") {
            let _ = parse(&text);
        }
    }
}
