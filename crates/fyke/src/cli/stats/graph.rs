//! `fyke stats graph`: the graph of documents and links, its best ranks, authorities and hubs; with a
//! query those around its results.

use crate::cli::{Global, Viewed, output, summary};
use fyke_index::SearchOptions;
use fyke_stages::corpus::Bin;
use fyke_stages::graph::{self, Around, GraphFigures, RankedDocument};
use fyke_stages::search;
use fyke_stages::show;
use fyke_web::UrlId;

/// Results that are the root set of a query.
const ROOT: usize = 100;

pub(super) fn graph(global: &Global, opened: &Viewed, words: &[String]) -> anyhow::Result<()> {
    if !words.is_empty() {
        return around(global, opened, &words.join(" "));
    }
    let Viewed { collection, config, .. } = opened;
    let figures =
        summary::with_progress(global, |observe| graph::current(collection, config, observe))?;
    if global.json {
        return output::say_json(&figures);
    }
    let row = |name: &str, value: u64| vec![name.to_owned(), show::count(value)];
    let GraphFigures { documents, domains, links, dangling, nofollow, comments, .. } = figures;
    output::say(&output::table(&[
        row("documents", documents),
        row("domains", domains),
        row("links between documents", links),
        row("links to URLs without a document", dangling),
        row("links that say nofollow", nofollow),
        row("other links in comments", comments),
        row("documents without links to others", figures.sinks),
        row("documents without links from others", figures.without_in_links),
        row("rounds until ranks stood still", figures.rounds.into()),
    ]));
    output::say(&degrees(&figures));
    best("best by rank (1 is the mean)", &figures.ranks);
    best("authorities", &figures.authorities);
    best("hubs", &figures.hubs);
    Ok(())
}

/// Documents by the number of their links.
fn degrees(figures: &GraphFigures) -> String {
    let head = ["links", "documents with this many inlinks", "with this many outlinks"];
    let mut rows = vec![head.map(String::from).to_vec()];
    let (ins, outs) = (&figures.in_degrees, &figures.out_degrees);
    let longer = if ins.len() > outs.len() { ins } else { outs };
    let at = |bins: &[Bin], place: usize| bins.get(place).map_or(0, |bin| bin.documents);
    rows.extend(longer.iter().enumerate().map(|(place, bin)| {
        let (from, last) = (show::count(bin.from), show::count(bin.to - 1));
        let range = if from == last { from } else { format!("{from}–{last}") };
        vec![range, show::count(at(ins, place)), show::count(at(outs, place))]
    }));
    format!("\n{}", output::table_with_head(&rows))
}

fn around(global: &Global, opened: &Viewed, words: &str) -> anyhow::Result<()> {
    let Viewed { collection, config, .. } = opened;
    let options = SearchOptions { limit: ROOT, ..search::options(config)? };
    let index = search::index(collection.root(), config)?;
    let results = search::search(&index, words, &options)?;
    let root: Vec<UrlId> = results.hits.iter().map(|hit| UrlId(hit.id)).collect();
    let found =
        summary::with_progress(global, |observe| graph::around(collection, &root, observe))?;
    if global.json {
        return output::say_json(&found);
    }
    let Around { root, base, ranks, authorities, hubs } = found;
    let (root, base) = (show::count(root), show::count(base));
    output::say(&format!("{root} results, {base} documents with those beside them"));
    best("best by topic rank", &ranks);
    best("authorities", &authorities);
    best("hubs", &hubs);
    Ok(())
}

fn best(title: &str, pages: &[RankedDocument]) {
    let row = |page: &RankedDocument| vec![format!("{:.4}", page.value), output::tame(&page.url)];
    let rows: Vec<_> = pages.iter().map(row).collect();
    if !rows.is_empty() {
        output::say(&format!("\n{title}\n{}", output::table(&rows)));
    }
}
