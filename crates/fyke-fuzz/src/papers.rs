//! Papers: any text judged and taken apart, its references grouped and written.

use crate::text;
use fyke_papers::bibtex::bibtex;
use fyke_papers::graph::CITATION_FORMATS;
use fyke_papers::literature::{HeldPaper, Literature, PaperCorrections};
use fyke_papers::models::PaperModels;
use fyke_papers::paper::{PaperLine, take_apart};
use fyke_papers::reference::PaperReference;
use fyke_papers::tei::tei;
use fyke_papers::verdict::{judge, may_be_paper};

/// Lines of a paper: `# ` begins a heading, an empty line parts blocks, a form feed begins a page.
pub fn paper(bytes: &[u8]) {
    let text = text(bytes);
    let (mut lines, mut page, mut begins_block) = (Vec::new(), 1, true);
    for line in text.lines() {
        page += u32::from(line.starts_with('\u{0C}'));
        let bare = line.trim();
        if bare.is_empty() {
            begins_block = true;
            continue;
        }
        let heading = u8::from(bare.starts_with("# "));
        let text = bare.trim_start_matches("# ").to_owned();
        lines.push(PaperLine { text, heading, begins_block, page });
        begins_block = false;
    }
    let verdict = judge(&lines);
    assert!((0.0..=1.0).contains(&verdict.score));
    assert_eq!(verdict.is_paper, verdict.note.is_empty());
    let _ = may_be_paper(&text);
    let paper = take_apart(&lines, PaperModels::shipped());
    assert!(paper.contexts.iter().all(|found| found.reference < paper.references.len()));
    let _ = (bibtex(&paper), tei(&paper));
    let references: Vec<_> = paper.references.iter().map(PaperReference::citation).collect();
    let count = references.len();
    let held = HeldPaper { document: 1, own: paper.header.citation(), references };
    let found = Literature::of(vec![held], &PaperCorrections::default());
    assert_eq!(found.placed[0].references.len(), count);
    for format in CITATION_FORMATS {
        assert!(!(format.write)(&found.graph).is_empty());
    }
}
