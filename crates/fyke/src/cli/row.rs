//! `fyke row`: the row of a URL as the store has it (003 figure 3.11), a line a cell.

use super::{Exit, Failure, Global, opened, output};
use fyke_derive::{ShownCell, ShownRow, row};
use fyke_stages::show;
use fyke_web::Url;

/// Characters of a value that are shown.
const MOST_SHOWN: usize = 72;

/// Print what is stored about a URL: text, title, anchor texts, facts, with times
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke row https://tides.example/about
  fyke row tides.example/about --at 2026-11-01      as it was at the end of that day
  fyke row tides.example/about --json | jq '.cells[] | select(.column == \"rank\")'

Exit code 1 if the URL was never seen.")]
pub(super) struct Args {
    /// The URL, as you would type it into a browser
    url: String,
    /// Show only cells written up to this day or time (2026-11-01 or 2026-11-01T12:00:00Z)
    #[arg(long, value_name = "TIME", value_parser = moment)]
    at: Option<i64>,
}

/// Milliseconds since 1970; a day counts to its end.
fn moment(text: &str) -> Result<i64, String> {
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Ok(moment.as_millisecond());
    }
    let wrong = || "no such time; write 2026-11-01 or 2026-11-01T12:00:00Z".to_owned();
    let day: jiff::civil::Date = text.parse().map_err(|_| wrong())?;
    let next = day.tomorrow().and_then(|next| next.to_zoned(jiff::tz::TimeZone::UTC));
    Ok(next.map_err(|_| wrong())?.timestamp().as_millisecond() - 1)
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    // A file that was imported has a URL, too.
    let url = opened::url(&args.url).or_else(|e| Url::stored(&args.url).map_err(|_| e))?;
    let opened = opened::show(global)?;
    let found = match (row(&opened.collection, url.id(), args.at)?, url.under_http(&args.url)) {
        (None, Some(plain)) => row(&opened.collection, plain.id(), args.at)?,
        (found, _) => found,
    };
    let Some(found) = found else {
        let message = format!("{} was never seen", url.as_str());
        return Err(Failure { exit: Exit::Failed, message }.into());
    };
    if global.json {
        output::say_json(&found)?;
    } else {
        output::say(&tell(&found));
    }
    Ok(Exit::Done)
}

fn tell(row: &ShownRow) -> String {
    let head = ["column", "time", "value"].map(String::from).to_vec();
    let cell = |cell: &ShownCell| {
        vec![output::tame(&cell.column), show::moment(cell.time), output::tame(&shown(cell))]
    };
    let rows: Vec<_> = std::iter::once(head).chain(row.cells.iter().map(cell)).collect();
    let later = match row.is_later {
        true => "\ntext and title of that time are not kept: the page was captured again later",
        false => "",
    };
    format!("{}\n{}{later}", output::tame(&row.url), output::table_with_head(&rows))
}

/// The beginning of a value, in one line.
fn shown(cell: &ShownCell) -> String {
    let text = match (&cell.value, &cell.value["text"]) {
        (serde_json::Value::String(text), _) | (_, serde_json::Value::String(text)) => text.clone(),
        (value, _) => value.to_string(),
    };
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_counts_to_its_end_and_a_moment_is_itself() {
        let check = |text: &str, expected: Option<i64>| assert_eq!(moment(text).ok(), expected);
        check("1970-01-01", Some(86_399_999));
        check("1970-01-01T00:00:01Z", Some(1_000));
        check("soon", None);
    }
}
