//! The commands in groups, as `fyke --help` shows them.

use super::GLOBAL;
use clap::{Command, CommandFactory};

/// What people want, and the commands for it. Every command stands in one group; a test holds it.
const GROUPS: [(&str, &[&str]); 7] = [
    ("See it work", &["demo", "pond"]),
    (
        "A collection",
        &["new", "config", "probe", "crawl", "collect", "import", "rebuild", "check", "export"],
    ),
    ("Search", &["serve", "search", "similar"]),
    ("Questions", &["why", "row", "diff", "urls", "stats"]),
    ("Subjects, papers, evaluation", &["topics", "subject", "spam", "papers", "sim", "lab"]),
    (
        "Filters that need no collection",
        &["text", "language", "stem", "tokens", "url", "robots", "sitemap"],
    ),
    ("The command line itself", &["completions", "man"]),
];

/// The parser of the command line, whose help shows the commands in groups.
pub(super) fn command<C: CommandFactory>() -> Command {
    let command = C::command();
    let groups: Vec<String> =
        GROUPS.iter().map(|(title, names)| group(&command, title, names)).collect();
    let template = format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{}\n\n{GLOBAL}:\n{{options}}{{after-help}}",
        groups.join("\n\n")
    );
    command.help_template(template)
}

fn group(command: &Command, title: &str, names: &[&str]) -> String {
    let lines = names.iter().map(|name| {
        let about = command.find_subcommand(name).and_then(Command::get_about);
        format!("  {name:<11} {}", about.map(ToString::to_string).unwrap_or_default())
    });
    format!("{title}:\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_stands_in_one_group() {
        let known = Cli::command();
        let mut known: Vec<_> = known.get_subcommands().map(Command::get_name).collect();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|group| group.1).copied().collect();
        known.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn the_help_shows_groups_options_and_examples_within_a_hundred_columns() {
        let help = command::<Cli>().render_help().to_string();
        for part in ["A collection:\n  new ", "\n  crawl       Fetch", ":\n  -C <DIR>", "Examples:"]
        {
            assert!(help.contains(part), "{part:?} is not in\n{help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}
