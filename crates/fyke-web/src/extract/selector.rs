//! CSS selectors over tags as they are read, without a tree: type, `*`, `#id`, `.class`, `[attribute]` with `=`, `~=`, `^=`, `$=`
//! and `*=`, descendants (a space), children (`>`) and lists (`,`). Every selector is a row of steps; an element carries as
//! bits which steps it takes, so that a page costs each step once for each of its tags, however deep it is.

use crate::html::{Tag, TagName, name};

/// Most steps of all selectors of a rule: a bit each.
const MOST_STEPS: usize = 64;
/// Longest name of an element that can be told from others.
const LONGEST_NAME: usize = 16;

/// What is wrong with a selector, and at which character, from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectorError {
    pub at: usize,
    pub what: String,
}

/// How a value of an attribute must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttributeTest {
    Present,
    Equal,
    Word,
    Start,
    End,
    Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Condition {
    attribute: String,
    compared: AttributeTest,
    value: String,
}

/// How a step stands to the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepPlace {
    First,
    Inside,
    Child,
}

/// What an element must be.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SelectorStep {
    place: StepPlace,
    /// None: any element.
    name: Option<TagName>,
    conditions: Vec<Condition>,
    /// The bits of what the element is chosen for, where the selector ends here.
    chosen: u8,
}

/// The selectors of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SelectorProgram {
    steps: Vec<SelectorStep>,
}

/// Which steps an element takes, and which it or one around it does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TakenSteps {
    own: u64,
    above: u64,
}

impl SelectorProgram {
    /// Adds a list of selectors that choose for what these bits say.
    pub(super) fn add(&mut self, text: &str, chosen: u8) -> Result<(), SelectorError> {
        let mut reader = SelectorReader { text: text.chars().collect(), at: 0 };
        loop {
            self.add_one(&mut reader, chosen)?;
            match reader.next() {
                None => return Ok(()),
                Some(',') => {}
                Some(_) => return Err(reader.wrong_before("expected a comma, a space or \">\"")),
            }
        }
    }

    fn add_one(&mut self, reader: &mut SelectorReader, chosen: u8) -> Result<(), SelectorError> {
        reader.pass_spaces();
        let mut place = StepPlace::First;
        loop {
            if self.steps.len() == MOST_STEPS {
                return Err(reader.wrong("too many selectors for one rule"));
            }
            let (name, conditions) = reader.compound()?;
            self.steps.push(SelectorStep { place, name, conditions, chosen: 0 });
            let had_space = reader.pass_spaces();
            place = match reader.peek() {
                None | Some(',') => break,
                Some('>') => {
                    reader.at += 1;
                    reader.pass_spaces();
                    StepPlace::Child
                }
                Some('+' | '~') => {
                    return Err(reader.wrong("siblings cannot be asked for; a space and \">\" can"));
                }
                Some(_) if had_space => StepPlace::Inside,
                Some(_) => return Err(reader.wrong("this is no part of a selector")),
            };
        }
        if let Some(last) = self.steps.last_mut() {
            last.chosen = chosen;
        }
        Ok(())
    }

    /// Which steps an element takes inside another, and what it is chosen for.
    pub(super) fn take(&self, tag: &Tag<'_>, around: TakenSteps) -> (TakenSteps, u8) {
        let (mut own, mut chosen) = (0, 0);
        for (at, step) in self.steps.iter().enumerate() {
            let before = match step.place {
                StepPlace::First => true,
                StepPlace::Inside => around.above >> (at - 1) & 1 == 1,
                StepPlace::Child => around.own >> (at - 1) & 1 == 1,
            };
            if before && step.fits(tag) {
                own |= 1 << at;
                chosen |= step.chosen;
            }
        }
        (TakenSteps { own, above: around.above | own }, chosen)
    }
}

impl SelectorStep {
    fn fits(&self, tag: &Tag<'_>) -> bool {
        self.name.is_none_or(|name| name == tag.name)
            && self.conditions.iter().all(|condition| condition.fits(tag))
    }
}

impl Condition {
    fn fits(&self, tag: &Tag<'_>) -> bool {
        let Some(found) = tag.attribute(&self.attribute) else { return false };
        let value = self.value.as_str();
        match self.compared {
            AttributeTest::Present => true,
            AttributeTest::Equal => found == value,
            AttributeTest::Word => found.split_ascii_whitespace().any(|word| word == value),
            AttributeTest::Start => !value.is_empty() && found.starts_with(value),
            AttributeTest::End => !value.is_empty() && found.ends_with(value),
            AttributeTest::Part => !value.is_empty() && found.contains(value),
        }
    }
}

struct SelectorReader {
    text: Vec<char>,
    at: usize,
}

impl SelectorReader {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek();
        self.at += usize::from(found.is_some());
        found
    }

    fn wrong(&self, what: &str) -> SelectorError {
        SelectorError { at: self.at, what: what.to_owned() }
    }

    fn wrong_before(&self, what: &str) -> SelectorError {
        SelectorError { at: self.at.saturating_sub(1), what: what.to_owned() }
    }

    fn pass_spaces(&mut self) -> bool {
        let from = self.at;
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        self.at > from
    }

    fn word(&mut self, of: &str) -> Result<String, SelectorError> {
        let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
        let from = self.at;
        while self.peek().is_some_and(is_letter) {
            self.at += 1;
        }
        match self.at > from {
            true => Ok(self.text[from..self.at].iter().collect()),
            false => Err(self.wrong(&format!("expected {of}"))),
        }
    }

    /// A type with its conditions.
    fn compound(&mut self) -> Result<(Option<TagName>, Vec<Condition>), SelectorError> {
        let (from, mut found, mut conditions) = (self.at, None, Vec::new());
        match self.peek() {
            Some('*') => self.at += 1,
            Some('#' | '.' | '[') => {}
            _ => {
                let word =
                    self.word("a selector: the name of an element, #id, .class or [attribute]")?;
                if word.len() > LONGEST_NAME {
                    self.at = from;
                    return Err(self.wrong("a name of an element has at most 16 letters here"));
                }
                found = Some(name(&word));
            }
        }
        loop {
            match self.peek() {
                Some('#') => conditions.push(self.named("id", AttributeTest::Equal)?),
                Some('.') => conditions.push(self.named("class", AttributeTest::Word)?),
                Some('[') => conditions.push(self.attribute()?),
                Some(':') => return Err(self.wrong("pseudo-classes (\":\") cannot be asked for")),
                _ => return Ok((found, conditions)),
            }
        }
    }

    fn named(
        &mut self,
        attribute: &str,
        compared: AttributeTest,
    ) -> Result<Condition, SelectorError> {
        self.at += 1;
        let value = self.word("a name")?;
        Ok(Condition { attribute: attribute.to_owned(), compared, value })
    }

    fn attribute(&mut self) -> Result<Condition, SelectorError> {
        self.at += 1;
        self.pass_spaces();
        let attribute = self.attribute_name()?;
        self.pass_spaces();
        let compared = match self.next() {
            Some(']') => {
                return Ok(Condition {
                    attribute,
                    compared: AttributeTest::Present,
                    value: String::new(),
                });
            }
            Some('=') => AttributeTest::Equal,
            Some(sign @ ('~' | '^' | '$' | '*')) if self.next() == Some('=') => match sign {
                '~' => AttributeTest::Word,
                '^' => AttributeTest::Start,
                '$' => AttributeTest::End,
                _ => AttributeTest::Part,
            },
            _ => return Err(self.wrong_before("expected \"]\" or \"=\"")),
        };
        self.pass_spaces();
        let value = self.value()?;
        self.pass_spaces();
        match self.next() {
            Some(']') => Ok(Condition { attribute, compared, value }),
            _ => Err(self.wrong_before("expected \"]\"")),
        }
    }

    /// Names of attributes may have colons: "og:title" is a value, "xml:lang" a name.
    fn attribute_name(&mut self) -> Result<String, SelectorError> {
        let mut found = self.word("the name of an attribute")?;
        while self.peek() == Some(':') {
            self.at += 1;
            found = format!("{found}:{}", self.word("the name of an attribute")?);
        }
        Ok(found)
    }

    fn value(&mut self) -> Result<String, SelectorError> {
        let Some(quote @ ('"' | '\'')) = self.peek() else { return self.word("a value") };
        let from = self.at + 1;
        let length = self.text[from..].iter().position(|c| *c == quote);
        let Some(length) = length else { return Err(self.wrong("this quote is never closed")) };
        self.at = from + length + 1;
        Ok(self.text[from..from + length].iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::{HtmlToken, Scanner};

    /// What of a page in which every element is inside the one before is chosen: numbers of its tags.
    fn chosen(selector: &str, tags: &str) -> Vec<usize> {
        let mut program = SelectorProgram::default();
        program.add(selector, 1).unwrap();
        let mut around = TakenSteps::default();
        let mut found = Vec::new();
        let tags = Scanner::new(tags).filter_map(|token| match token {
            HtmlToken::Start(tag) => Some(tag),
            _ => None,
        });
        for (at, tag) in tags.enumerate() {
            let (taken, chosen) = program.take(&tag, around);
            found.extend((chosen == 1).then_some(at));
            around = taken;
        }
        found
    }

    #[test]
    fn selectors_choose_what_they_say() {
        let page = "<div id=top><main class='wide body'><div data-x='a b'><p class=body><a href='/eel.html'>";
        let check = |selector: &str, expected: &[usize]| {
            assert_eq!(chosen(selector, page), expected, "{selector}");
        };
        check("div", &[0, 2]);
        check("DIV", &[0, 2]);
        check("*", &[0, 1, 2, 3, 4]);
        check("#top", &[0]);
        check(".body", &[1, 3]);
        check("main.body.wide", &[1]);
        check("p.wide", &[]);
        check("div p", &[3]);
        check("div > p", &[3]);
        check("main > p", &[]);
        check("#top p a", &[4]);
        check("#top>main>div p > a", &[4]);
        check("p div", &[]);
        check("main, a", &[1, 4]);
        check("[data-x]", &[2]);
        check("[data-x='a b']", &[2]);
        check("[data-x=\"a\"]", &[]);
        check("[data-x~=b]", &[2]);
        check("a[href^='/eel']", &[4]);
        check("a[href$=html]", &[4]);
        check("[href*=eel][href]", &[4]);
    }

    #[test]
    fn what_is_no_selector_is_refused_with_its_place() {
        let check = |selector: &str, at: usize, what: &str| {
            let error = SelectorProgram::default().add(selector, 1).unwrap_err();
            assert_eq!((error.at, error.what.contains(what)), (at, true), "{selector}: {error:?}");
        };
        check("", 0, "expected a selector");
        check("p, ", 3, "expected a selector");
        check("p..x", 2, "expected a name");
        check("p:first-child", 1, "pseudo-classes");
        check("a + b", 2, "siblings");
        check("a ]", 2, "expected a selector");
        check("[x=", 3, "expected a value");
        check("[x='y]", 3, "never closed");
        check("[x", 1, "expected \"]\"");
        check("p > ", 4, "expected a selector");
        check("p{}", 1, "no part of a selector");
        check("blaze-container-abc", 0, "16 letters");
        check(&"p ".repeat(65), 128, "too many");
    }
}
