//! English prose: sentences about the page's sub-topic, its topic, its side remark and nothing in
//! particular, in known shares; and the noise around the main text.

use crate::Pond;
use crate::hazards;
use crate::plan;
use crate::render::PageSheet;
use crate::words::template::number;
use crate::words::{PondDice, Template, TemplateGroup, mix, stock};

use super::{ContentItem, item, item_about};

/// A writer that does not repeat a template before it has used them all.
#[derive(Debug)]
pub struct Prose<'a> {
    pub item: &'a ContentItem<'a>,
    pub dice: PondDice,
    used: [u8; 32],
    told: usize,
    told_topic: usize,
}

impl<'a> Prose<'a> {
    pub fn new(item: &'a ContentItem<'a>) -> Prose<'a> {
        let dice = PondDice::new(mix(item.key, 21));
        Prose { item, dice, used: [0; 32], told: 0, told_topic: 0 }
    }

    /// A sentence of a given use.
    pub fn say(&mut self, group: TemplateGroup, out: &mut Vec<u8>) {
        let templates = stock().group(group);
        let at = (self.item.key as usize >> 8) + self.used[group as usize] as usize;
        self.used[group as usize] = self.used[group as usize].wrapping_add(1);
        templates[at % templates.len()].fill(&self.item.voice, &mut self.dice, out);
    }

    /// A sentence of running text. What the data says of a sub-topic or topic is told once.
    pub fn sentence(&mut self, out: &mut Vec<u8>) {
        let voice = &self.item.voice;
        match self.dice.below(100) {
            0..20 if self.told < voice.sub.sentences.len() => {
                let at = self.told + self.item.key as usize % 7;
                self.told += 1;
                self.told_of(&voice.sub.sentences, at, out);
            }
            0..38 => self.say(TemplateGroup::Sub, out),
            38..50 if self.told_topic < voice.topic.sentences.len() => {
                let at = self.told_topic + self.item.key as usize % 5;
                self.told_topic += 1;
                self.told_of(&voice.topic.sentences, at, out);
            }
            38..66 => self.say(TemplateGroup::PondTopic, out),
            66..78 if self.item.second.is_some() => self.say(TemplateGroup::Second, out),
            66..96 => self.say(TemplateGroup::Plain, out),
            _ => self.say(TemplateGroup::Stray, out),
        }
    }

    fn told_of(&mut self, templates: &'static [Template], at: usize, out: &mut Vec<u8>) {
        templates[at % templates.len()].fill(&self.item.voice, &mut self.dice, out);
    }

    pub fn paragraph(&mut self, sentences: usize, sheet: &mut PageSheet) {
        sheet.raw("<p>");
        for n in 0..sentences {
            if n > 0 {
                sheet.raw(" ");
            }
            self.sentence(&mut sheet.out);
        }
        sheet.raw("</p>\n");
    }

    pub fn paragraphs(&mut self, count: usize, sheet: &mut PageSheet) {
        for _ in 0..count {
            let sentences = 4 + self.dice.below(5);
            self.paragraph(sentences, sheet);
        }
    }

    pub fn heading(&mut self, sheet: &mut PageSheet) {
        self.wrapped(TemplateGroup::Heading, ["<h2>", "</h2>\n"], sheet);
    }

    /// One sentence between tags.
    pub(crate) fn wrapped(&mut self, group: TemplateGroup, tags: [&str; 2], sheet: &mut PageSheet) {
        sheet.raw(tags[0]);
        self.say(group, &mut sheet.out);
        sheet.raw(tags[1]);
    }

    pub fn list(&mut self, group: TemplateGroup, count: usize, sheet: &mut PageSheet) {
        sheet.raw("<ul>\n");
        (0..count).for_each(|_| self.wrapped(group, ["<li>", "</li>\n"], sheet));
        sheet.raw("</ul>\n");
    }
}

/// `<a href="…">title</a>`, with the host when it is another one.
pub fn link(sheet: &mut PageSheet, target: &ContentItem) {
    sheet.raw("<a href=\"");
    if target.host.name != sheet.host.name {
        sheet.raw("http://").raw(&target.host.name);
    }
    target.path(&mut sheet.out);
    sheet.raw("\">");
    target.title(&mut sheet.out);
    sheet.raw("</a>");
}

/// What stands around an English page's main text: related pages, comments, teasers.
pub fn around(sheet: &mut PageSheet, item: &ContentItem) {
    let mut dice = PondDice::new(mix(item.key, 31));
    related(sheet, item, &mut dice);
    if item.section.kind != "thread" && !item.key.is_multiple_of(3) {
        comments(sheet, item, &mut dice);
    }
    sheet.open_side();
    teasers(sheet, item, &mut dice);
    if dice.percent(10) {
        forbidden(sheet, item.pond, item.n);
    }
}

fn related(sheet: &mut PageSheet, from: &ContentItem, dice: &mut PondDice) {
    let (pond, host) = (from.pond, from.host);
    sheet.raw("<div class=\"related\"><h3>Related pages</h3><ul>\n");
    let like = item_about(pond, host, from.topic, dice.below(64)).map(|like| like.n);
    let aside = from.second.and_then(|topic| item_about(pond, host, topic, dice.below(64)));
    let near = [(from.n + 1) % host.items, (from.n + host.items - 1) % host.items];
    for n in near.into_iter().chain(like).chain(aside.map(|aside| aside.n)) {
        sheet.raw("<li>");
        link(sheet, &item(pond, host, n));
        sheet.raw("</li>\n");
    }
    sheet.raw("</ul><h3>Elsewhere</h3><ul>\n");
    let first = dice.below(8);
    for at in (0..8).map(|k| 1 + (first + 3 * k) % 8) {
        let place = plan::core_host_at(pond, at);
        if let Some(target) = item_about(pond, &place, from.topic, dice.below(64)) {
            sheet.raw("<li>");
            link(sheet, &target);
            sheet.raw("</li>\n");
        }
    }
    if dice.percent(3) {
        hazard_link(sheet, from, dice);
    }
    sheet.raw("</ul></div>\n");
}

fn hazard_link(sheet: &mut PageSheet, from: &ContentItem, dice: &mut PondDice) {
    let links = hazards::links(from.pond);
    if let Some((url, anchor)) = links.get(dice.below(links.len())) {
        sheet.raw("<li><a href=\"").raw(url).raw("\">").raw(anchor).raw("</a></li>\n");
    }
}

/// Links that robots.txt asks robots not to follow.
pub fn forbidden(sheet: &mut PageSheet, pond: &Pond, n: usize) {
    if pond.hazards.has("disallowed") {
        sheet.raw("<p><a href=\"/private/minutes-");
        number(1 + n % 9, &mut sheet.out);
        sheet.raw("\">Minutes, for members</a> <a href=\"/search?q=");
        number(n, &mut sheet.out);
        sheet.raw("\">Search for this number</a></p>\n");
    }
}

/// Readers wander: half of a comment is about something else.
fn comments(sheet: &mut PageSheet, from: &ContentItem, dice: &mut PondDice) {
    let count = 1 + dice.below(4);
    sheet.raw("<div class=\"comments\" id=\"comments\"><h3>Comments (");
    number(count, &mut sheet.out);
    sheet.raw(")</h3>\n");
    for _ in 0..count {
        let other = item(from.pond, from.host, dice.below(from.host.items));
        let voice = if dice.percent(50) { &from.voice } else { &other.voice };
        sheet.raw("<div class=\"comment\"><b>");
        sheet.raw(dice.word(&stock().first_names)).raw("</b> wrote: ");
        let group = stock().group(TemplateGroup::Comment);
        dice.pick(group).fill(voice, dice, &mut sheet.out);
        sheet.raw(" ");
        dice.pick(group).fill(voice, dice, &mut sheet.out);
        sheet.raw("</div>\n");
    }
    sheet.raw("<form action=\"/search\"><input name=\"comment\"></form></div>\n");
}

/// Short notices of pages about other things, as every site has beside its text.
pub fn teasers(sheet: &mut PageSheet, from: &ContentItem, dice: &mut PondDice) {
    sheet.raw("<h4>Also of interest</h4>\n");
    for _ in 0..6 {
        let host = match dice.percent(40) {
            true => plan::core_host_at(from.pond, 1 + dice.below(8)),
            false => from.host.clone(),
        };
        let target = item(from.pond, &host, dice.below(host.items));
        sheet.raw("<div class=\"teaser\">");
        link(sheet, &target);
        sheet.raw("<p>");
        dice.pick(stock().group(TemplateGroup::Teaser)).fill(&target.voice, dice, &mut sheet.out);
        sheet.raw(" ");
        dice.pick(stock().group(TemplateGroup::Sub)).fill(&target.voice, dice, &mut sheet.out);
        sheet.raw("</p></div>\n");
    }
}
