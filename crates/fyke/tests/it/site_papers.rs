//! Papers of a collection on the site, in the API and by commands, on the small literature.

use crate::client::{ask, between, get};
use crate::fixture::{arg, collection, fyke};
use crate::site_api::{Schema, get_json, site};
use fyke_papers::small::{self, PAPERS};
use serde_json::Value;
use std::path::Path;

fn literature() -> tempfile::TempDir {
    literature_with("")
}

fn literature_with(settings: &str) -> tempfile::TempDir {
    let dir = collection(&format!("{settings}\n[corpus]\nmin_words = 5\n"));
    let mut file = String::new();
    let hostile = PAPERS[0].title;
    for page in small::pages() {
        // A title that would be markup if nobody escaped it.
        let html =
            page.html.replace(hostile, "Fishing by &lt;script&gt;alert(1)&lt;/script&gt; Night");
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}");
        file += &format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: \
             2014-02-16T05:02:01Z\r\nContent-Length: {}\r\n\r\n{block}\r\n\r\n",
            page.url,
            block.len()
        );
    }
    let path = dir.path().join("web.warc");
    std::fs::write(&path, file).unwrap();
    fyke(&["-q", "-C", arg(dir.path()), "import", arg(&path)]).ends(0, &[]);
    dir
}

fn listed(dir: &Path, args: &[&str]) -> Value {
    let all = [&["-C", arg(dir), "papers", "list", "--json"], args].concat();
    fyke(&all).ends(0, &[]).json()
}

#[test]
fn papers_are_listed_searched_shown_and_linked() {
    let dir = literature();
    let (_running, port) = site(dir.path());
    assert!(get(port, "/").contains("<a href=\"/papers\">papers</a>"));
    let list = get(port, "/papers");
    assert!(list.contains("5 papers with 16 references, which name 2 other papers"), "{list}");
    assert!(!list.contains("<script>alert"), "escaped");
    let first = between(&list, "<ol class=\"hits\"", "</li>");
    assert!(
        first.contains("Fishing by &#60;script&#62;alert(1)") && first.contains("cited by 4"),
        "{first}"
    );
    let newest = get(port, "/papers?sort=newest");
    assert!(between(&newest, "<ol class=\"hits\"", "</li>").contains(PAPERS[4].title));
    let found = get(port, "/papers?q=author%3Anetter+traps");
    assert!(found.contains(PAPERS[1].title) && !found.contains("Moonlight"), "{found}");
    assert!(get(port, "/papers?q=zebra").contains("No paper matches"));

    let key = between(&first, "href=\"/papers/", "\"");
    let page = get(port, &format!("/papers/{key}"));
    assert!(page.contains("The work of Fisher [1] is where we begin."), "{page}");
    assert!(page.contains("taken for a paper") && !page.contains("<script>alert"));
    let eels = between(&page, "<h2 id=\"references\">", "A Treatise on");
    let eels = between(&eels, "href=\"/papers/", "\"");
    assert!(eels.starts_with('p'), "a paper that is only cited has a key of its own: {eels}");
    assert!(get(port, &format!("/papers/{eels}")).contains("its text is not in the collection"));
    let author = get(port, "/papers/author/hooker-b");
    assert!(author.contains("<h1>Bob Hooker</h1>") && author.contains("3 papers"), "{author}");
    assert!(get(port, "/papers/venue/journal-tidal-research").contains("Moonlight"));
    let bibtex = get(port, &format!("/papers/{key}/bibtex"));
    assert!(bibtex.starts_with("@article{fisher1994"), "{bibtex}");
    assert!(get(port, &format!("/document/{key}")).contains(&format!("/papers/{key}")));
    for nowhere in ["/papers/none", "/papers/author/nobody", &format!("/papers/{key}/docx")] {
        let (status, _) = ask(port, &format!("GET {nowhere} HTTP/1.1\r\nHost: localhost"), "");
        assert_eq!(status, 404, "{nowhere}");
    }
    let description = get_json(port, "/api/openapi.json");
    let schema = Schema { whole: &description };
    for (path, request) in [
        ("/api/v1/papers", "/api/v1/papers?q=eels".to_owned()),
        ("/api/v1/papers/{key}", format!("/api/v1/papers/{key}")),
        ("/api/v1/papers/{key}", format!("/api/v1/papers/{eels}")),
    ] {
        let answers = &description["paths"][path]["get"]["responses"]["200"]["content"];
        schema.check(&answers["application/json"]["schema"], &get_json(port, &request), &request);
    }
}

#[test]
fn papers_are_listed_and_exported_by_commands() {
    let dir = literature();
    let all = listed(dir.path(), &[]);
    assert_eq!((all["total"].as_u64(), all["papers"][0]["cited_by"].as_u64()), (Some(5), Some(4)));
    let found = listed(dir.path(), &["--sort", "newest", "paper:yes", "year:1996..1998"]);
    let years: Vec<u64> =
        found["papers"].as_array().unwrap().iter().map(|p| p["year"].as_u64().unwrap()).collect();
    assert_eq!(years, [1998, 1997, 1996]);
    let key = all["papers"][0]["key"].as_str().unwrap();
    let shown = fyke(&["-C", arg(dir.path()), "papers", "show", key]).ends(0, &[]).out;
    assert!(shown.contains("Cited by\n") && shown.contains("“The work of Fisher [1]"), "{shown}");
    fyke(&["-C", arg(dir.path()), "papers", "show", "none"]).ends(1, &["no paper none"]);
    let export = |args: &[&str]| {
        fyke(&[&["-C", arg(dir.path()), "papers", "export", "--format"], args].concat())
            .ends(0, &[])
            .out
    };
    assert_eq!(export(&["bibtex"]).matches("@").count(), 5);
    let csl: Value = serde_json::from_str(&export(&["csl-json", "--all"])).unwrap();
    assert_eq!(csl.as_array().unwrap().len(), 7);
    assert_eq!(export(&["graphml", "--all"]).matches("<edge ").count(), 16);
    assert!(export(&["ris"]).contains("ER  -"));
    let why = |url: &str| fyke(&["-C", arg(dir.path()), "why", url]).ends(0, &[]).out;
    assert!(why(PAPERS[1].url).contains("yes: abstract, 3 references"), "{}", why(PAPERS[1].url));
    let course = why("http://fish.test/course.html");
    assert!(course.contains("no: no abstract"), "{course}");
}

#[test]
fn papers_are_corrected_and_refused_only_from_their_own_page() {
    let dir =
        literature_with("[scope]\nmode = \"focused\"\n[focus]\nkeywords = [\"eels\", \"fishing\"]");
    let (_running, port) = site(dir.path());
    let key =
        listed(dir.path(), &["--sort", "newest"])["papers"][0]["key"].as_str().unwrap().to_owned();
    let page = get(port, &format!("/papers/{key}"));
    let token = between(&page, "name=\"token\" value=\"", "\"");
    let post = |what: &str, headers: &str, token: &str, fields: &str| {
        let body = format!("token={token}{fields}");
        ask(port, &format!("POST /papers/{key}/{what} HTTP/1.1\r\n{headers}"), &body)
    };
    let ours = "Host: localhost\r\nOrigin: http://localhost";
    let fields = "&title=A+%3Cb%3E+of+Nets&year=2001";
    let file = dir.path().join("papers.toml");
    for (headers, token, fields, status) in [
        ("Host: localhost\r\nOrigin: http://evil.test", &*token, fields, 403),
        (ours, "0123456789abcdef0123456789abcdef", fields, 403),
        (ours, &token, "&year=soon", 400),
        (ours, &token, &format!("&title={}", "x".repeat(3_000)), 400),
    ] {
        assert_eq!(post("correct", headers, token, fields).0, status, "{headers} {fields}");
    }
    assert_eq!(post("explode", ours, &token, "").0, 404);
    assert!(!file.exists());
    assert_eq!(post("correct", ours, &token, fields).0, 303);
    let page = get(port, &format!("/papers/{key}"));
    assert!(page.contains("<h1>A &#60;b&#62; of Nets</h1>") && page.contains("2001"), "{page}");
    let due = fyke(&["-C", arg(dir.path()), "stats", "derivations"]).ends(0, &[]).out;
    assert!(!due.contains("settings changed"), "all settings were known: {due}");
    assert_eq!(post("refuse", ours, &token, "").0, 303);
    assert!(!get(port, "/papers").contains("of Nets"));
    assert!(std::fs::read_to_string(&file).unwrap().contains("refused = [\"http://"));
}

#[test]
fn references_are_set_apart_and_stay_so() {
    let dir = literature();
    let run = |args: &[&str]| fyke(&[&["-C", arg(dir.path()), "papers"], args].concat());
    let first = || listed(dir.path(), &[])["papers"][0].clone();
    let (key, cited) = (first()["key"].as_str().unwrap().to_owned(), first()["cited_by"].clone());
    let forms = run(&["split", "--json", &key]).ends(0, &[]).json();
    let form = forms[0]["key"].as_str().unwrap().to_owned();
    assert!(
        form.starts_with('w') && forms[0]["text"].as_str().unwrap().contains("Fish"),
        "{forms}"
    );
    run(&["split", &key, "w0000000000000000"]).ends(2, &["is written as w0000000000000000"]);
    run(&["split", "p0000000000000000"]).ends(1, &["there is no paper"]);
    run(&["split", &key, &form]).ends(0, &[]);
    let after = run(&["show", "--json", &key]).ends(0, &[]).json();
    assert!(after["cited_by"].as_u64() < cited.as_u64(), "{after}");
    fyke(&["-q", "-C", arg(dir.path()), "rebuild"]).ends(0, &[]);
    assert_eq!(run(&["show", "--json", &key]).ends(0, &[]).json()["cited_by"], after["cited_by"]);
}

#[test]
fn a_collection_without_papers_says_so_and_has_no_link() {
    let dir = collection("");
    let (_running, port) = site(dir.path());
    assert!(!get(port, "/corpus").contains("href=\"/papers\""));
    assert!(get(port, "/papers").contains("No document of this collection is a paper."));
    let out = ["-C", arg(dir.path()), "papers", "export", "--format", "ris"];
    fyke(&out).ends(1, &["no papers"]);
}

#[test]
fn people_merge_correct_and_refuse_papers() {
    let dir = literature();
    let tell = |args: &[&str]| fyke(&[&["-q", "-C", arg(dir.path()), "papers"], args].concat());
    let all = listed(dir.path(), &[]);
    let [first, second] = [0, 1].map(|at| all["papers"][at]["key"].as_str().unwrap().to_owned());
    tell(&["merge", &first, &second]).ends(0, &[]);
    let merged = listed(dir.path(), &[]);
    assert_eq!(merged["total"], 4);
    assert_eq!(merged["papers"][0]["documents"].as_array().unwrap().len(), 2);
    tell(&["correct", &first, "--venue", "Annals of Tides", "--year", "1895"]).ends(0, &[]);
    tell(&["refuse", PAPERS[4].url]).ends(0, &[]);
    fyke(&["-q", "-C", arg(dir.path()), "rebuild"]).ends(0, &[]);
    let corrected = listed(dir.path(), &["year:1895", "venue:annals-tides"]);
    assert_eq!(
        (corrected["total"].as_u64(), corrected["papers"][0]["year"].as_u64()),
        (Some(1), Some(1895))
    );
    assert_eq!(listed(dir.path(), &[])["total"], 3);
    tell(&["correct", "nobody", "--year", "1994"]).ends(2, &["\"nobody\" is no key of a paper"]);
    tell(&["correct", &first]).ends(2, &["nothing to correct"]);
}
