//! A paper as TEI, in the form that readers of GROBID's output know: `teiHeader` with title, authors and abstract,
//! the sections as `div`, the references as `biblStruct`.

use crate::escape::escaped;
use crate::names::PersonName;
use crate::paper::Paper;
use crate::reference::PaperReference;
use std::fmt::Write as _;

/// The element `TEI` of a paper.
#[must_use]
pub fn tei(paper: &Paper) -> String {
    let mut out = String::from("<TEI xmlns=\"http://www.tei-c.org/ns/1.0\">\n");
    header(paper, &mut out);
    out.push_str("  <text>\n    <body>\n");
    for section in &paper.sections {
        out.push_str("      <div>");
        if !section.title.is_empty() {
            let number = attribute("n", &section.number);
            let _ = write!(out, "<head{number}>{}</head>", escaped(&section.title));
        }
        let _ = writeln!(out, "<p>{}</p></div>", escaped(&section.text));
    }
    out.push_str("    </body>\n    <back>\n      <div type=\"references\"><listBibl>\n");
    for (at, reference) in paper.references.iter().enumerate() {
        bibliography(at, reference, &mut out);
    }
    out.push_str("      </listBibl></div>\n    </back>\n  </text>\n</TEI>\n");
    out
}

fn header(paper: &Paper, out: &mut String) {
    let header = &paper.header;
    out.push_str("  <teiHeader>\n    <fileDesc>\n");
    let title = escaped(&header.title);
    let _ = writeln!(
        out,
        "      <titleStmt><title level=\"a\" type=\"main\">{title}</title></titleStmt>\n      \
         <publicationStmt><date>{}</date></publicationStmt>\n      \
         <sourceDesc><biblStruct><analytic>",
        escaped(&header.date)
    );
    authors(&header.authors, out);
    for affiliation in &header.affiliations {
        let name = escaped(affiliation);
        let _ = writeln!(out, "        <affiliation><orgName>{name}</orgName></affiliation>");
    }
    for email in &header.emails {
        let _ = writeln!(out, "        <email>{}</email>", escaped(email));
    }
    let _ = writeln!(
        out,
        "        <title level=\"a\" type=\"main\">{title}</title>\n      \
         </analytic></biblStruct></sourceDesc>\n    </fileDesc>\n    <profileDesc>"
    );
    if !header.keywords.is_empty() {
        let terms = header.keywords.iter().map(|word| format!("<term>{}</term>", escaped(word)));
        let terms: String = terms.collect();
        let _ = writeln!(out, "      <textClass><keywords>{terms}</keywords></textClass>");
    }
    let summary = escaped(&header.abstract_text);
    let _ = writeln!(
        out,
        "      <abstract><p>{summary}</p></abstract>\n    </profileDesc>\n  </teiHeader>"
    );
}

fn authors(names: &[PersonName], out: &mut String) {
    for name in names {
        out.push_str("        <author><persName>");
        for forename in name.given.split_whitespace() {
            let _ = write!(out, "<forename>{}</forename>", escaped(forename));
        }
        let _ = writeln!(out, "<surname>{}</surname></persName></author>", escaped(&name.family));
    }
}

fn bibliography(at: usize, reference: &PaperReference, out: &mut String) {
    let mark = attribute("n", &reference.mark);
    let _ = writeln!(out, "        <biblStruct xml:id=\"b{at}\"{mark}>");
    let is_part = !reference.venue.is_empty();
    let title = escaped(&reference.title);
    if is_part {
        out.push_str("        <analytic>\n");
        authors(&reference.authors, out);
        let _ = writeln!(
            out,
            "        <title level=\"a\">{title}</title></analytic>\n        <monogr>"
        );
        let level = if reference.field("journal").is_empty() { "m" } else { "j" };
        let _ =
            writeln!(out, "        <title level=\"{level}\">{}</title>", escaped(&reference.venue));
    } else {
        out.push_str("        <monogr>\n");
        authors(&reference.authors, out);
        let _ = writeln!(out, "        <title level=\"m\">{title}</title>");
    }
    out.push_str("        <imprint>");
    let parts = reference.volume_parts();
    for (value, unit) in [(parts.volume, "volume"), (parts.number, "issue"), (parts.pages, "page")]
    {
        if !value.is_empty() {
            let _ = write!(out, "<biblScope unit=\"{unit}\">{}</biblScope>", escaped(value));
        }
    }
    for (name, element) in [("publisher", "publisher"), ("location", "pubPlace")] {
        let value = reference.field(name);
        if !value.is_empty() {
            let _ = write!(out, "<{element}>{}</{element}>", escaped(value));
        }
    }
    if let Some(year) = reference.year {
        let _ = write!(out, "<date type=\"published\" when=\"{year}\"/>");
    }
    let raw = escaped(&reference.text);
    let _ = writeln!(
        out,
        "</imprint></monogr>\n        <note type=\"raw_reference\">{raw}</note></biblStruct>"
    );
}

fn attribute(name: &str, value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {name}=\"{}\"", escaped(value)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::PaperModels;
    use crate::paper::take_apart;
    use crate::paper::tests::lines;
    use proptest::prelude::*;

    fn of(text: &str) -> String {
        tei(&take_apart(&lines(text), PaperModels::shipped()))
    }

    #[test]
    fn references_and_sections_are_elements() {
        let out = of("Nets\nAnn Fisher\n1 Introduction\nWe <fish>.\nReferences\n\
                      [1] A. Fisher. Nets & hooks by night. Journal of Tides, 3(2):12-19, 1999.");
        assert!(out.contains("<head n=\"1\">Introduction</head><p>We &lt;fish&gt;.</p>"), "{out}");
        assert!(out.contains("<biblStruct xml:id=\"b0\" n=\"1\">"), "{out}");
        assert!(out.contains("<title level=\"a\">Nets &amp; hooks by night</title>"), "{out}");
        assert!(out.contains("<title level=\"j\">Journal of Tides</title>"), "{out}");
    }

    proptest! {
        #[test]
        fn elements_are_balanced_whatever_the_text(text in "[\\PC<>&\"\n]{0,80}(\nReferences\n\\[1\\] \\PC{0,40} 1999.)?") {
            let out = of(&text);
            let count = |sign: &str| out.matches(sign).count();
            prop_assert_eq!(count("<"), count(">"));
            prop_assert_eq!(count("<div>") + count("<div "), count("</div>"));
        }
    }
}
