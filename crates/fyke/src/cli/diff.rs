//! `fyke diff`: what changed between two versions of a page (003 §3.2.3).

use super::similar::marked;
use super::{Exit, Failure, Global, opened, output};
use fyke_crawl::revisit::w3c_time;
use fyke_derive::asked::similar::{self, DifferentPart};
use fyke_stages::config::parse_duration;
use fyke_stages::show;
use fyke_stages::versions::{PageVersion, version_at, version_document, versions};
use fyke_text::difference::Side;
use serde_json::json;
use std::sync::Arc;

/// Words shown of what stands in both versions, before and after a change.
const AROUND: usize = 12;

/// Show what changed in a page, from one version to the next
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke diff https://tides.example/                  the newest version against the one before
  fyke diff https://tides.example/ --at 2026-11-01  against the version of that day
  fyke diff https://tides.example/ --at 7d          against the version of seven days ago

[-only in the older version-] {+only in the newer one+}; what did not change is shortened.
The versions of a page: fyke why URL. Exit code 1 if the page has no other version.")]
pub(super) struct Args {
    /// The URL, as you would type it into a browser
    url: String,
    /// Compare with the version that stood at this time: a date, a date and time, or an age such as 7d
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let url = opened::url(&args.url)?;
    let opened = opened::show(global)?;
    let view = &opened.collection;
    let mut all = versions(view, url.id())?;
    if let (true, Some(plain)) = (all.is_empty(), url.under_http(&args.url)) {
        all = versions(view, plain.id())?;
    }
    let Some(newest) = all.first() else {
        let message = format!("{} was never fetched; fyke why {}", url.as_str(), args.url);
        return Err(Failure { exit: Exit::Failed, message }.into());
    };
    let older = match &args.at {
        None => 1,
        Some(text) => version_at(&all, time(text)?).unwrap_or(all.len()),
    };
    let Some(older) = all.get(older).filter(|_| older > 0) else {
        let message = match &args.at {
            Some(text) if older > 0 => format!("no version is as old as {text}"),
            Some(text) => format!("the version of {text} is the newest"),
            None => format!("there is one version, of {}", show::moment(newest.fetched)),
        };
        return Err(Failure { exit: Exit::Failed, message }.into());
    };
    let rules = Arc::new(opened.config.extract_rules());
    let text = |version: &PageVersion| -> anyhow::Result<String> {
        let document = version_document(view, version, &rules)?;
        Ok(document.map_or_else(String::new, |document| document.text))
    };
    let parts = similar::differences(&text(older)?, &text(newest)?);
    if global.json {
        let part = |part: &DifferentPart| json!({ "side": part.side.name(), "text": part.text });
        output::say_json(&json!({
            "url": url.as_str(), "older": older, "newer": newest,
            "parts": parts.iter().map(part).collect::<Vec<_>>(),
        }))?;
        return Ok(Exit::Done);
    }
    let names = [(Side::First, older), (Side::Second, newest)].map(|(side, version)| {
        let text = format!("{}, status {}", show::moment(version.fetched), version.status);
        DifferentPart { side, text }
    });
    let shown = match parts.iter().all(|part| part.side == Side::Both) {
        true => "the main text is the same".to_owned(),
        false => marked(&shortened(parts)),
    };
    output::say(&format!("{}\n\n{shown}", marked(&names)));
    Ok(Exit::Done)
}

/// A date, a time, or how long ago, in milliseconds since 1970.
fn time(text: &str) -> anyhow::Result<i64> {
    if let Some(time) = w3c_time(text) {
        return Ok(time);
    }
    let ago = parse_duration(text).map_err(|_| {
        let message = format!(
            "--at {text:?}: a date, a time or an age is wanted: 2026-11-01, 2026-11-01T12:00Z, 7d"
        );
        Failure::usage(message)
    })?;
    Ok(show::now() - i64::try_from(ago.as_millis()).unwrap_or(i64::MAX))
}

/// The parts, with what stands in both cut to a few words beside the changes.
fn shortened(parts: Vec<DifferentPart>) -> Vec<DifferentPart> {
    let last = parts.len().saturating_sub(1);
    let short = |(at, part): (usize, DifferentPart)| {
        let words: Vec<&str> = part.text.split_whitespace().collect();
        if part.side != Side::Both || words.len() <= 2 * AROUND + 1 {
            return part;
        }
        let before = if at == 0 { String::new() } else { words[..AROUND].join(" ") };
        let after =
            if at == last { String::new() } else { words[words.len() - AROUND..].join(" ") };
        DifferentPart { side: Side::Both, text: format!("{before} … {after}").trim().to_owned() }
    };
    parts.into_iter().enumerate().map(short).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_change_is_cut_to_what_stands_beside_the_changes() {
        let words: Vec<String> = (0..40).map(|n| n.to_string()).collect();
        let part = |side, text: &str| DifferentPart { side, text: text.to_owned() };
        let parts = vec![
            part(Side::Both, &words.join(" ")),
            part(Side::First, "old"),
            part(Side::Both, &words.join(" ")),
            part(Side::Second, "new"),
        ];
        let found: Vec<String> = shortened(parts).into_iter().map(|part| part.text).collect();
        assert_eq!(found[0], format!("… {}", words[28..].join(" ")));
        assert_eq!(found[2], format!("{} … {}", words[..12].join(" "), words[28..].join(" ")));
        assert_eq!((found[1].as_str(), found[3].as_str()), ("old", "new"));
    }

    #[test]
    fn times_are_dates_or_ages() {
        assert_eq!(time("1970-01-02").expect("a date"), 86_400_000);
        let ago = show::now() - time("7d").expect("an age");
        assert!((ago - 7 * 86_400_000).abs() < 10_000, "{ago}");
        assert!(time("soon").is_err());
    }
}
