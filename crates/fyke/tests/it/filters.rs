//! The small filters: `fyke url`, `fyke robots`, `fyke sitemap`, `fyke text`.

use crate::fixture::{Ran, arg, fyke};
use assert_cmd::Command;
use fyke_web::Url;
use serde_json::{Value, json};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Runs `fyke` with this on standard input.
fn piped(args: &[&str], input: &[u8]) -> Ran {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("fyke"));
    let output = command.args(args).write_stdin(input).output().unwrap();
    Ran {
        exit: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn url_writes_normal_forms_and_why_a_url_is_refused() {
    let check = |args: &[&str], input: &[u8], exit: i32, expected: &str| {
        let ran = piped(&[&["url"], args].concat(), input).ends(exit, &[]);
        assert_eq!(ran.out, expected, "{args:?}");
    };
    check(&["HTTP://A.Test:80/x/../y?utm_source=z&b=2&a=1#f"], b"", 0, "http://a.test/y?a=1&b=2\n");
    check(&[], b"http://a.test\r\n\n  \nhttps://b.test/\n", 0, "http://a.test/\nhttps://b.test/\n");
    check(
        &["--base", "http://a.test/b/c", "../d", "?e"],
        b"",
        0,
        "http://a.test/d\nhttp://a.test/b/c?e\n",
    );
    check(
        &[],
        b"\xef\xbb\xbfhttp://a.test/\nhttp://b.test/\n",
        0,
        "http://a.test/\nhttp://b.test/\n",
    );
    check(&["-f", "-"], b"http://a.test/\xe9\n", 0, "http://a.test/%E9\n");
    check(&[], b"", 0, "");
    let refused =
        "\tscheme \"mailto\" cannot be fetched, use http or https\tmailto:a@b\nhttp://a.test/\n";
    check(&["mailto:a@b", "http://a.test/"], b"", 1, refused);
    let mut huge = vec![b'a'; 1 << 20];
    huge.extend(b"\nhttp://a.test/\n");
    let ran = piped(&["url"], &huge).ends(1, &[]);
    assert!(
        ran.out.starts_with("\tthe URL is longer than") && ran.out.ends_with("\nhttp://a.test/\n")
    );
}

#[test]
fn stem_answers_a_line_for_a_line_by_the_stemmer_asked_for() {
    let check = |args: &[&str], input: &str, exit: i32, expected: &str| {
        let ran = piped(&[&["stem"], args].concat(), input.as_bytes()).ends(exit, &[]);
        assert_eq!(ran.out, expected, "{args:?}");
    };
    check(&[], "Turbines flying\n\nskies\n", 0, "turbin fli\nsky\n");
    check(&["--stemmer", "krovetz", "turbines"], "", 0, "turbine\n");
    check(&["--language", "de", "häuser"], "", 0, "haus\n");
    check(&["--language", "tlh", "words"], "", 0, "words\n");
    let (expected, words) = ("{\"stem\":\"cake\",\"word\":\"cakes\"}\n", ["--json", "cakes"]);
    check(&[&["--stemmer", "suffix-s"], &words[..]].concat(), "", 0, expected);
    check(&["--stemmer", "portet"], "", 2, "");
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("own.txt");
    fs::write(&own, "mice mouse\n").unwrap();
    check(&["--exceptions", arg(&own), "mice", "turbines"], "", 0, "mouse\nturbin\n");
    fs::write(&own, "a b c\n").unwrap();
    check(&["--exceptions", arg(&own), "mice"], "", 2, "");
}

#[test]
fn tokens_are_told_as_they_are_indexed() {
    let check = |args: &[&str], input: &str, expected: &str| {
        let ran = piped(&[&["tokens"], args].concat(), input.as_bytes()).ends(0, &[]);
        assert_eq!(ran.out, expected, "{args:?}");
    };
    check(&[], "O'Neil's C++, the U.S.A.", "oneils\nc++\nthe\nusa\n");
    check(&["--language", "en"], "The turbines", "the\tthe\tstop\nturbines\tturbin\n");
    let expected = json!({ "form": "net", "text": "Net", "start": 2 });
    check(&["--json"], "  Net", &format!("{expected}\n"));
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("words.txt");
    fs::write(&list, "共同\n创造\n新\n世纪\n").unwrap();
    check(
        &["--words", arg(&list)],
        "共同创造\nthe café 新世纪",
        "共同\n创造\nthe\ncafé\n新\n世纪\n",
    );
}

#[test]
fn url_answers_in_json_lines() {
    let ran = fyke(&["url", "--json", "http://www.a.co.uk:8080/b?c", "nonsense"]).ends(1, &[]);
    let lines = json_lines(&ran.out);
    assert_eq!(lines[0]["domain"], "a.co.uk");
    assert_eq!((&lines[0]["host"], &lines[0]["port"]), (&"www.a.co.uk".into(), &8080.into()));
    assert_eq!(lines[0]["id"].as_str().unwrap().len(), 16);
    assert_eq!(lines[1]["input"], "nonsense");
    assert!(lines[1]["error"].as_str().unwrap().contains("not a URL"));
}

#[test]
fn a_filter_whose_reader_went_away_ends_quietly() {
    let dir = tempfile::tempdir().unwrap();
    let urls = dir.path().join("urls.txt");
    fs::write(&urls, "http://a.test/\n".repeat(100_000)).unwrap();
    let binary = assert_cmd::cargo::cargo_bin!("fyke");
    let script = format!("{} url -f {} | head -n 1", arg(binary), arg(&urls));
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "http://a.test/\n");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
}

#[test]
fn filters_name_what_they_cannot_read() {
    let dir = tempfile::tempdir().unwrap();
    let folder = arg(dir.path());
    for args in
        [&["url", "-f", "/no/such"][..], &["robots", "/no/such", "/"], &["sitemap", "/no/such"]]
    {
        fyke(args).ends(2, &["/no/such: "]);
    }
    fyke(&["url", "-f", folder]).ends(2, &[folder, "directory"]);
    fyke(&["robots", folder, "/"]).ends(2, &[folder, "directory"]);
    fyke(&["robots", "-"]).ends(2, &["cannot both come from standard input"]);
    fyke(&["url", "--base", "x", "y"]).ends(2, &["--base \"x\""]);
    fyke(&["sitemap", folder, "--base", "x"]).ends(2, &["--base \"x\""]);
}

#[test]
fn robots_says_by_which_line() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("robots.txt");
    fs::write(
        &file,
        "User-agent: *\nDisallow: /tmp\nAllow: /tmp/open\n\nUser-agent: fyke\nDisallow: /x\n",
    )
    .unwrap();
    let check = |args: &[&str], input: &[u8], exit: i32, expected: &str| {
        let ran = piped(&[&["robots", arg(&file)], args].concat(), input).ends(exit, &[]);
        assert_eq!(ran.out, expected, "{args:?}");
    };
    check(&["--agent", "other", "/tmp/a"], b"", 1, "disallowed\t/tmp/a\t2\tDisallow: /tmp\n");
    let open = "http://a.test/tmp/open";
    check(&["--agent", "other", open], b"", 0, &format!("allowed\t{open}\t3\tAllow: /tmp/open\n"));
    check(&["/tmp", "//x"], b"", 0, "allowed\t/tmp\t\t\nallowed\t//x\t\t\n");
    let root = piped(&["robots", "-", ""], b"User-agent: *\nDisallow: /").ends(1, &[]);
    assert_eq!(root.out, "disallowed\t\t2\tDisallow: /\n");
    check(
        &[],
        b"/x\nmailto:a\n/y\n",
        1,
        "disallowed\t/x\t6\tDisallow: /x\nrefused\tmailto:a\t\tscheme \"mailto\" cannot be fetched, use http or https\nallowed\t/y\t\t\n",
    );
    let ran =
        piped(&["robots", "-", "/a", "--json"], b"User-agent: *\nCrawl-delay: 2\nDisallow: /a");
    let expected = json!({"input": "/a", "allowed": false, "line": 3, "rule": "Disallow: /a", "crawl_delay": 2.0});
    assert_eq!(json_lines(&ran.ends(1, &[]).out), [expected]);
    for bytes in [&b""[..], b"\0\xff\xfe", b"<html>"] {
        assert_eq!(piped(&["robots", "-", "/a"], bytes).ends(0, &[]).out, "allowed\t/a\t\t\n");
    }
}

/// A folder with files that are listed and files that are not.
fn site() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    fs::create_dir_all(root.join("a/.git")).unwrap();
    let odd = Path::new(std::ffi::OsStr::from_bytes(b"\xe9 & <b>'.txt"));
    for file in ["index.html", "a/z.PDF", "a/.git/x.html", ".hidden.html", "a.html", "a/data.bin"] {
        fs::write(root.join(file), "x").unwrap();
    }
    fs::write(root.join(odd), "x").unwrap();
    symlink(root, root.join("loop")).unwrap();
    symlink(root.join("a.html"), root.join("b.html")).unwrap();
    symlink(root.join("gone"), root.join("c.html")).unwrap();
    dir
}

#[test]
fn a_sitemap_lists_a_folder_in_order_and_reads_back() {
    let dir = site();
    let ran = fyke(&["sitemap", arg(dir.path()), "--base", "https://a.test/it's"]).ends(0, &[]);
    let base = Url::parse("https://a.test/it's/").unwrap();
    let sitemap = fyke_web::sitemap::parse(ran.out.as_bytes(), &base, usize::MAX);
    let urls: Vec<&str> = sitemap.urls.iter().map(|entry| entry.url.as_str()).collect();
    let under = |name: &str| format!("https://a.test/it's/{name}");
    let names = ["%E9%20%26%20%3Cb%3E%27.txt", "a.html", "a/z.PDF", "b.html", "index.html"];
    assert_eq!(urls, names.map(under));
    for line in ran.out.lines().filter(|line| line.starts_with("<url>")) {
        assert!(is_entry(line), "{line}");
    }
    let all = fyke(&["sitemap", arg(dir.path()), "--all", "--json", "--folders"]).ends(0, &[]);
    let all: Vec<Value> =
        json_lines(&all.out).into_iter().map(|entry| entry["loc"].clone()).collect();
    assert_eq!(all.len(), 6);
    assert!(
        all.contains(&"http://localhost/".into())
            && all.contains(&"http://localhost/a/data.bin".into())
    );
}

/// What the schema asks of an entry: one loc, then at most one lastmod in W3C form.
fn is_entry(line: &str) -> bool {
    let inner = line
        .strip_prefix("<url><loc>https://a.test/")
        .and_then(|l| l.strip_suffix("</lastmod></url>"));
    let Some((location, time)) = inner.and_then(|inner| inner.split_once("</loc><lastmod>")) else {
        return false;
    };
    let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00T00:00:00Z" && !location.contains(['<', '>', '\'', '"', ' '])
}

#[test]
fn a_large_sitemap_is_split_with_an_index() {
    let dir = tempfile::tempdir().unwrap();
    let pages = dir.path().join("pages");
    fs::create_dir(&pages).unwrap();
    for n in 0..50_001 {
        fs::File::create(pages.join(format!("{n}.html"))).unwrap();
    }
    fyke(&["sitemap", arg(&pages)]).ends(2, &["--output"]);
    let out = dir.path().join("sitemap.xml");
    let base = "https://a.test/";
    let ran =
        fyke(&["sitemap", arg(&pages), "--base", base, "-o", arg(&out), "--json"]).ends(0, &[]);
    assert_eq!(ran.json()["urls"], 50_001);
    let base = Url::parse(base).unwrap();
    let read = |name: &str| {
        let text = fs::read(dir.path().join(name)).unwrap();
        fyke_web::sitemap::parse(&text, &base, usize::MAX)
    };
    let index = read("sitemap.xml");
    let parts: Vec<&str> = index.sitemaps.iter().map(Url::as_str).collect();
    assert_eq!(parts, ["https://a.test/sitemap-1.xml", "https://a.test/sitemap-2.xml"]);
    assert_eq!((read("sitemap-1.xml").urls.len(), read("sitemap-2.xml").urls.len()), (50_000, 1));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 4, "no temporary file stays");
}

#[test]
fn text_writes_the_main_text_of_files_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| fs::write(dir.path().join(name), bytes).unwrap();
    file(
        "a.md",
        b"---\ntitle: Eels\nauthor: Ana\ndate: 2024-03-05\n---\n# The eel\n\nlong *and* thin\n",
    );
    file("b.csv", b"fish,size\npike,2\n");
    let words = "The pike waits among the reeds for smaller fish. ".repeat(8);
    file("c.html", format!("<html><nav><a href=/>home</a></nav><p>{words}</p>").as_bytes());
    let ran = fyke(&["text", "--json", "--threads", "3", arg(dir.path())]).ends(0, &[]);
    let lines = json_lines(&ran.out);
    let of =
        |name: &str| lines.iter().map(|l| l[name].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(of("format"), ["markdown", "csv", "html"]);
    assert_eq!(of("text")[..2], ["The eel\nlong and thin", "fish\tsize\npike\t2"]);
    assert!(of("text")[2].starts_with("The pike waits") && !of("text")[2].contains("home"));
    assert_eq!(
        (&of("title")[0], &of("author")[0], &of("date")[0]),
        (&"Eels".to_owned(), &"Ana".to_owned(), &"2024-03-05".to_owned())
    );
    file("d.bin", b"\0\x01\x02");
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let ran = fyke(&["text", &path("d.bin"), "/no/such", &path("b.csv")]);
    let ran = ran.ends(1, &["d.bin: not a format", "/no/such: "]);
    assert_eq!(ran.out, "fish\tsize\npike\t2\n");
    let list = format!("{}\0{}\0", path("b.csv"), path("a.md"));
    let ran = piped(&["text", "--list0"], list.as_bytes()).ends(0, &[]);
    assert_eq!(ran.out, "fish\tsize\npike\t2\n\nThe eel\nlong and thin\n");
    let ran =
        piped(&["text", "--url", "http://a.test/x.csv", "--json"], b"a;b\n1;2\n").ends(0, &[]);
    let line = &json_lines(&ran.out)[0];
    assert_eq!(
        (&line["path"], &line["url"], &line["text"]),
        (&"-".into(), &"http://a.test/x.csv".into(), &"a\tb\n1\t2".into())
    );
    fyke(&["text", "--refine", "nonsense"]).ends(2, &["blocks"]);
}

#[test]
fn text_marks_names_and_facts_when_asked() {
    let line = b"Fred Smith paid $12 at 10 Water Street, Springfield, MA & left.";
    let ran = piped(&["text", "--annotate"], line).ends(0, &[]);
    for expected in [
        "<PersonName><GivenName>Fred</GivenName> <Sn>Smith</Sn></PersonName> paid <Money>$12</Money>",
        "<City>Springfield</City>, <State>MA</State></address> &amp; left",
    ] {
        assert!(ran.out.contains(expected), "{}", ran.out);
    }
    let ran = piped(&["text", "--annotate", "--json"], line).ends(0, &[]);
    let row = &json_lines(&ran.out)[0];
    let (text, entity) = (row["text"].as_str().unwrap(), &row["entities"][1]);
    let place = |key: &str| entity[key].as_u64().unwrap() as usize;
    assert_eq!((&entity["kind"], &text[place("start")..place("end")]), (&json!("money"), "$12"));
    piped(&["text", "--annotate", "--format", "markdown"], line).ends(2, &["XML or JSON"]);
    assert!(json_lines(&piped(&["text", "--json"], line).out)[0].get("entities").is_none());
}

#[test]
fn languages_are_told_line_by_line_and_learnt() {
    let told = |out: &str| -> Vec<String> {
        out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
    };
    let lines = "Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo.\n\
                 Das Netz wird am Abend im Fluss ausgelegt und am Morgen eingeholt.\n\
                 12:30 — 100 %\n";
    let ran = piped(&["language", "--lines", "--threads", "2"], lines.as_bytes()).ends(0, &[]);
    assert_eq!(told(&ran.out), ["sl", "de", "und"]);
    let ran = piped(&["language", "--json", "--method", "ranks"], lines.as_bytes()).ends(0, &[]);
    assert!(json_lines(&ran.out)[0]["language"].is_string());
    let dir = tempfile::tempdir().unwrap();
    let own = "zvrk olum kazuv romla vuzok marl okruv zalu ".repeat(40);
    fs::create_dir(dir.path().join("qaa")).unwrap();
    fs::write(dir.path().join("qaa/one.txt"), own).unwrap();
    let model = dir.path().join("own.model");
    fyke(&["language", "train", arg(dir.path()), "--out", arg(&model)]).ends(0, &[]);
    let both = format!("vuzok zvrk marl romla olum\n{lines}");
    let ran = piped(&["language", "--lines", "--model", arg(&model)], both.as_bytes());
    assert_eq!(told(&ran.ends(0, &[]).out), ["qaa", "sl", "de", "und"]);
    fyke(&["language", "--model", arg(&dir.path().join("qaa/one.txt"))]).ends(2, &["model"]);
    fyke(&["language", "/no/such"]).ends(1, &["/no/such"]);
    fyke(&["language", "--method", "nonsense"]).ends(2, &["ranks"]);
}

#[test]
fn the_language_of_a_page_is_that_of_its_text() {
    let text = "<p>Mrežo zvečer nastavimo v reki in jo zjutraj spet dvignemo na suho.</p>";
    let style = "<style>.menu { color: red; background: the-and-of-with }</style>".repeat(40);
    let page = format!("<!doctype html><html><head>{style}</head><body>{text}</body></html>");
    let ran = piped(&["language", "--json"], page.as_bytes()).ends(0, &[]);
    let told = &json_lines(&ran.out)[0];
    assert_eq!((&told["language"], &told["shares"]), (&json!("sl"), &json!({ "sl": 100 })));
    // Where only its markup could be read nothing is guessed.
    let empty = format!("<!doctype html><html><head>{style}</head><body></body></html>");
    let ran = piped(&["language"], empty.as_bytes()).ends(0, &[]);
    assert!(ran.out.starts_with("und\t"), "{}", ran.out);
}

#[test]
fn markdown_has_the_links_of_the_main_text() {
    let words = "the eel swims up the river every spring to feed on small fish ".repeat(4);
    let page = format!(
        "<!doctype html><main><h1>Fish</h1><p>{words}<a href='eel.html#head'>more of it</a>, \
         <a href='javascript:alert(1)'>nothing</a>.</p></main>"
    );
    let markdown = &["text", "--format", "markdown"];
    let url = ["--url", "https://fish.example/a/"];
    let ran = piped(&[&markdown[..], &url].concat(), page.as_bytes()).ends(0, &[]);
    let link = "[more of it](https://fish.example/a/eel.html#head), nothing.";
    assert!(ran.out.contains(link), "{}", ran.out);
    // Without an address a relative link leads nowhere.
    let ran = piped(markdown, page.as_bytes()).ends(0, &[]);
    assert!(ran.out.contains("more of it, nothing."), "{}", ran.out);
}
