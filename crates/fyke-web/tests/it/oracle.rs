//! The links of a page by html5ever, which builds a tree by the standard: what the scanner is held
//! to. Scripting is off, as it is for a crawler.

use fyke_web::Url;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilderOpts, TreeSink};
use html5ever::{Attribute, ExpandedName, ParseOpts, QualName, local_name, ns, parse_document};
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

/// The targets of the links, resolved, each once, in document order.
pub fn links(html: &str, url: &Url) -> Vec<Url> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let found = parse_document(Sink::default(), options).one(html);
    let base = found.base.and_then(|href| url.join(&href).ok()).unwrap_or_else(|| url.clone());
    let mut links: Vec<Url> = Vec::new();
    for url in found.links.iter().filter_map(|href| base.join(href).ok()) {
        if !links.contains(&url) {
            links.push(url);
        }
    }
    links
}

#[derive(Default)]
struct Found {
    links: Vec<String>,
    base: Option<String>,
}

/// Elements are noted when they are made; nothing is kept of the tree but their names.
#[derive(Default)]
struct Sink(RefCell<Found>);

fn nameless() -> Rc<QualName> {
    Rc::new(QualName::new(None, ns!(), local_name!("")))
}

impl TreeSink for Sink {
    type Handle = Rc<QualName>;
    type Output = Found;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Found {
        self.0.into_inner()
    }

    fn create_element(
        &self,
        name: QualName,
        attrs: Vec<Attribute>,
        _: ElementFlags,
    ) -> Rc<QualName> {
        let value = |key: &str| {
            let attribute = attrs.iter().find(|a| a.name.ns == ns!() && &*a.name.local == key)?;
            Some(attribute.value.to_string())
        };
        let mut found = self.0.borrow_mut();
        match &*name.local {
            "a" | "area" => found.links.extend(value("href").filter(|href| is_target(href))),
            "frame" | "iframe" => found.links.extend(value("src").filter(|src| is_target(src))),
            "base" if found.base.is_none() => found.base = value("href"),
            _ => {}
        }
        Rc::new(name)
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<QualName>) -> ExpandedName<'a> {
        target.expanded()
    }

    fn same_node(&self, a: &Rc<QualName>, b: &Rc<QualName>) -> bool {
        Rc::ptr_eq(a, b)
    }

    fn get_document(&self) -> Rc<QualName> {
        nameless()
    }

    fn get_template_contents(&self, _: &Rc<QualName>) -> Rc<QualName> {
        nameless()
    }

    fn create_comment(&self, _: StrTendril) -> Rc<QualName> {
        nameless()
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<QualName> {
        nameless()
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append(&self, _: &Rc<QualName>, _: NodeOrText<Rc<QualName>>) {}
    fn append_based_on_parent_node(
        &self,
        _: &Rc<QualName>,
        _: &Rc<QualName>,
        _: NodeOrText<Rc<QualName>>,
    ) {
    }
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &Rc<QualName>, _: NodeOrText<Rc<QualName>>) {}
    fn add_attrs_if_missing(&self, _: &Rc<QualName>, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &Rc<QualName>) {}
    fn reparent_children(&self, _: &Rc<QualName>, _: &Rc<QualName>) {}
}

/// Neither empty nor a place on the page itself.
fn is_target(href: &str) -> bool {
    !href.trim_ascii().is_empty() && !href.trim_ascii().starts_with('#')
}
