//! The forms of a page (003 §3.2.5): where each is sent, how, and what can be filled in. Nothing is judged here.

use crate::Url;
use crate::html::{HtmlToken, Scanner, Tag, name, text_of};
use std::borrow::Cow;

/// Forms of a page, fields of a form and options of a field that are read; what comes after is passed by.
const MOST_FORMS: usize = 20;
const MOST_FIELDS: usize = 64;
const MOST_OPTIONS: usize = 512;
/// Bytes of a name or a value; a longer one is cut.
const LONGEST: usize = 512;

/// A form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlForm {
    /// Where it is sent to.
    pub action: Url,
    /// By GET and as a query, as is usual: not by POST, and not as parts of a mail.
    pub is_get: bool,
    pub fields: Vec<FormField>,
    /// The words by which it can be known: its own id, name and class, and those of its buttons.
    pub words: String,
}

/// What can be filled in, or is sent along.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormField {
    pub name: String,
    pub kind: FormFieldKind,
    /// What it holds before anybody touches it.
    pub value: String,
    /// What can be chosen, in order.
    pub options: Vec<String>,
}

/// What a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormFieldKind {
    /// A line of text, or a word to search for.
    Text,
    Hidden,
    /// One of its options.
    Select,
    /// A box that is ticked or not, or one of several.
    Choice,
    Password,
    File,
    /// An address of mail.
    Mail,
    /// Several lines of text.
    Area,
    /// A button that is sent along when it is pressed.
    Button,
    /// A number, a date, a colour and the like.
    Other,
}

impl HtmlForm {
    /// Whether it has a field of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }
}

/// The forms of a page's markup, in order. Never fails: what cannot be read is passed by.
#[must_use]
pub fn forms(content: &str, url: &Url) -> Vec<HtmlForm> {
    let mut reading = FormReading::new(url);
    for token in Scanner::new(content) {
        match token {
            HtmlToken::Start(tag) => reading.start(&tag),
            HtmlToken::End(tag) if tag == name("form") => reading.close(),
            HtmlToken::End(tag) if tag == name("select") => reading.select = false,
            HtmlToken::End(tag) if tag == name("option") => reading.end_option(),
            HtmlToken::End(tag) if tag == name("button") => reading.in_button = false,
            HtmlToken::Text(text) | HtmlToken::Raw(_, text) => reading.text(text),
            HtmlToken::End(_) | HtmlToken::Cdata(_) => {}
        }
        if reading.forms.len() == MOST_FORMS {
            break;
        }
    }
    reading.close();
    reading.forms
}

/// Where a reading stands.
struct FormReading {
    base: Url,
    forms: Vec<HtmlForm>,
    open: Option<HtmlForm>,
    /// Within a select, an option of it whose text is its value, or a button.
    select: bool,
    option: Option<String>,
    in_button: bool,
}

impl FormReading {
    fn new(url: &Url) -> FormReading {
        let (base, forms) = (url.clone(), Vec::new());
        FormReading { base, forms, open: None, select: false, option: None, in_button: false }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        const BASE: u128 = name("base");
        const FORM: u128 = name("form");
        const INPUT: u128 = name("input");
        const SELECT: u128 = name("select");
        const OPTION: u128 = name("option");
        const AREA: u128 = name("textarea");
        const BUTTON: u128 = name("button");
        match tag.name {
            BASE if self.forms.is_empty() && self.open.is_none() => {
                let base = tag.attribute("href").and_then(|href| self.base.join(&href).ok());
                self.base = base.unwrap_or_else(|| self.base.clone());
            }
            FORM => {
                self.close();
                self.open = self.form(tag);
            }
            INPUT => self.input(tag),
            SELECT => {
                self.end_option();
                self.select = self.field(tag, FormFieldKind::Select);
            }
            OPTION if self.select => {
                self.end_option();
                match tag.attribute("value") {
                    Some(value) => self.take_option(&value, tag.attribute("selected").is_some()),
                    None => self.option = Some(String::new()),
                }
            }
            AREA => drop(self.field(tag, FormFieldKind::Area)),
            BUTTON => {
                let kind = tag.attribute("type").unwrap_or(Cow::Borrowed("submit"));
                self.in_button = kind.eq_ignore_ascii_case("submit");
                if self.in_button {
                    self.field(tag, FormFieldKind::Button);
                    self.note(tag);
                }
            }
            _ => {}
        }
    }

    /// A form that begins; none where it leads nowhere that can be asked.
    fn form(&self, tag: &Tag<'_>) -> Option<HtmlForm> {
        let said = |name| tag.attribute(name).unwrap_or_default();
        let action = said("action");
        let action = match action.trim() {
            "" => self.base.clone(),
            action => self.base.join(action).ok()?,
        };
        let method = said("method");
        let is_get = method.trim().is_empty() || method.trim().eq_ignore_ascii_case("get");
        let mut words = String::new();
        for name in ["id", "name", "class", "action", "role"] {
            add(&mut words, &said(name));
        }
        Some(HtmlForm { action, is_get, fields: Vec::new(), words })
    }

    fn input(&mut self, tag: &Tag<'_>) {
        let kind = tag.attribute("type").unwrap_or_default().to_ascii_lowercase();
        let kind = match kind.trim() {
            "" | "text" => FormFieldKind::Text,
            "search" => {
                self.say("search");
                FormFieldKind::Text
            }
            "hidden" => FormFieldKind::Hidden,
            "checkbox" | "radio" => FormFieldKind::Choice,
            "password" => FormFieldKind::Password,
            "file" => FormFieldKind::File,
            "email" => FormFieldKind::Mail,
            "submit" | "image" => {
                self.note(tag);
                FormFieldKind::Button
            }
            "button" | "reset" => return,
            _ => FormFieldKind::Other,
        };
        self.field(tag, kind);
    }

    /// Takes a field up; false where it has no name, and is not sent. Boxes of one name are one field.
    fn field(&mut self, tag: &Tag<'_>, kind: FormFieldKind) -> bool {
        let Some(form) = &mut self.open else { return false };
        let said = |name| cut(&tag.attribute(name).unwrap_or_default()).to_owned();
        let (name, value) = (said("name"), said("value"));
        if name.is_empty()
            || tag.attribute("disabled").is_some()
            || form.fields.len() == MOST_FIELDS
        {
            return false;
        }
        let known = form.fields.iter_mut().find(|field| field.name == name);
        match known.filter(|field| field.kind == FormFieldKind::Choice && field.kind == kind) {
            Some(known) if known.options.len() < MOST_OPTIONS => known.options.push(value),
            Some(_) => {}
            None => {
                let options = match kind {
                    FormFieldKind::Choice => vec![value],
                    _ => Vec::new(),
                };
                let value = match kind {
                    FormFieldKind::Choice => String::new(),
                    _ => said("value"),
                };
                form.fields.push(FormField { name, kind, value, options });
            }
        }
        true
    }

    fn take_option(&mut self, value: &str, is_chosen: bool) {
        let field = self.open.as_mut().and_then(|form| form.fields.last_mut());
        let Some(field) = field.filter(|field| field.kind == FormFieldKind::Select) else { return };
        if field.options.len() < MOST_OPTIONS {
            field.options.push(cut(value).to_owned());
        }
        if is_chosen || field.options.len() == 1 {
            cut(value).clone_into(&mut field.value);
        }
    }

    fn end_option(&mut self) {
        if let Some(text) = self.option.take() {
            self.take_option(text.trim(), false);
        }
    }

    /// Adds a word by which the form can be known.
    fn say(&mut self, word: &str) {
        if let Some(form) = &mut self.open {
            add(&mut form.words, word);
        }
    }

    /// The words of a button.
    fn note(&mut self, tag: &Tag<'_>) {
        let Some(form) = &mut self.open else { return };
        for name in ["name", "value", "id", "class"] {
            add(&mut form.words, &tag.attribute(name).unwrap_or_default());
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(option) = &mut self.option {
            add(option, &text_of(text));
        } else if let Some(form) = self.open.as_mut().filter(|_| self.in_button) {
            add(&mut form.words, &text_of(text));
        }
    }

    fn close(&mut self) {
        self.end_option();
        (self.select, self.in_button) = (false, false);
        self.forms.extend(self.open.take());
    }
}

/// Adds words, up to a length.
fn add(words: &mut String, more: &str) {
    let more = cut(more.trim());
    if !more.is_empty() && words.len() + more.len() < 4 * LONGEST {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(more);
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(content: &str) -> Vec<HtmlForm> {
        forms(content, &Url::parse("http://a.test/shop/page?x=1").expect("a URL"))
    }

    #[test]
    fn a_form_is_read_with_its_fields_options_and_buttons() {
        let found = read(
            "<form id=find action='/search' class=q><input name=q placeholder=words>\
             <select name=year><option value=''>any<option selected>2024<option value=x>y</select>\
             <input type=hidden name=t value='a&amp;b'><input type=radio name=r value=1>\
             <input type=radio name=r value=2><input name=off disabled>\
             <button name=go value=1>Find it</button></form>",
        );
        let [form] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((form.action.as_str(), form.is_get), ("http://a.test/search", true));
        assert_eq!(form.words, "find q /search go 1 Find it");
        let kinds: Vec<_> = form.fields.iter().map(|f| (f.name.as_str(), f.kind)).collect();
        use FormFieldKind::{Button, Choice, Hidden, Select, Text};
        let expected =
            [("q", Text), ("year", Select), ("t", Hidden), ("r", Choice), ("go", Button)];
        assert_eq!(kinds, expected);
        assert_eq!(form.fields[1].options, ["", "2024", "x"]);
        assert_eq!((form.fields[2].value.as_str(), form.fields[3].options.len()), ("a&b", 2));
    }

    #[test]
    fn where_and_how_a_form_is_sent() {
        let check = |content: &str, action: &str, is_get: bool| {
            let found = read(content);
            let form = found.first().unwrap_or_else(|| panic!("{content}"));
            assert_eq!((form.action.as_str(), form.is_get), (action, is_get), "{content}");
        };
        check("<form>", "http://a.test/shop/page?x=1", true);
        check("<form method=POST action=go>", "http://a.test/shop/go", false);
        check("<form method=dialog>", "http://a.test/shop/page?x=1", false);
        check("<base href=/b/><form action=c>", "http://a.test/b/c", true);
        check("<form action=//b.test/>", "http://b.test/", true);
        assert!(read("<form action='mailto:x@y.z'><input name=q>").is_empty());
        assert_eq!(read("<form><form action=/b>").len(), 2);
    }

    proptest! {
        #[test]
        fn any_text_is_read_within_bounds(text in "(\\PC|<form |<input name=a |<select name=b>|<option>|</form>|['\"<>=]){0,80}") {
            for form in read(&text) {
                prop_assert!(form.fields.len() <= MOST_FIELDS && form.words.len() <= 4 * LONGEST);
            }
        }
    }
}
