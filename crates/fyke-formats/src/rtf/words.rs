//! Control words of RTF by what they mean.

/// Words that are characters.
pub(super) const CHARACTERS: &[(&str, &str)] = &[
    ("tab", "\t"),
    ("line", "\n"),
    ("emdash", "—"),
    ("endash", "–"),
    ("lquote", "‘"),
    ("rquote", "’"),
    ("ldblquote", "“"),
    ("rdblquote", "”"),
    ("bullet", "•"),
    ("emspace", " "),
    ("enspace", " "),
    ("~", "\u{A0}"),
    ("_", "\u{2011}"),
];

/// Groups whose text is none of the document's.
pub(super) const SKIPPED: &[&str] = &[
    "colortbl",
    "pict",
    "objdata",
    "header",
    "headerl",
    "headerr",
    "headerf",
    "footer",
    "footerl",
    "footerr",
    "footerf",
    "listtable",
    "listoverridetable",
    "generator",
    "sp",
    "nonshppict",
    "xe",
    "tc",
    "annotation",
    "atnid",
    "atnauthor",
    "bkmkstart",
    "bkmkend",
    "themedata",
    "filetbl",
    "revtbl",
    "template",
    "operator",
    "revtim",
    "printim",
    "buptim",
    "company",
    "manager",
    "doccomm",
    "keywords",
    "subject",
    "comment",
    "category",
    "hlinkbase",
];

/// Groups with a star whose text is the document's all the same.
pub(super) const TRANSPARENT: &[&str] = &["shpinst", "shppict", "footnote", "ftnalt"];
