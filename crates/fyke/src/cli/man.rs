//! `fyke man`: a manual page for each command, from the table of commands. The examples keep their lines.

use super::{Cli, Exit, Global, output};
use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Write a manual page for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke man ~/.local/share/man/man1            then: man fyke, man fyke-crawl, man fyke-lab-tune
  fyke man pages && man -l pages/fyke.1

The folder is made if it is missing; pages that are there are written again.")]
pub(super) struct Args {
    /// Folder for the pages
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn run(global: &Global, args: &Args) -> anyhow::Result<Exit> {
    let folder = &args.folder;
    let shown = || output::tame(&folder.display().to_string());
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", shown()))?;
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let written = write_all(&command, folder)
        .with_context(|| format!("cannot write the pages to {}", shown()))?;
    match global.json {
        true => output::say_json(&json!({ "folder": folder, "pages": written }))?,
        false => output::say(&format!("{written} pages in {}", shown())),
    }
    Ok(Exit::Done)
}

/// Writes the page of a command and of all below it; how many.
fn write_all(command: &Command, folder: &Path) -> io::Result<usize> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    fs::write(folder.join(format!("{name}.1")), page(command)?)?;
    let below = command.get_subcommands().filter(|command| !command.is_hide_set());
    below.map(|command| write_all(command, folder)).try_fold(1, |sum, n| Ok(sum + n?))
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(help) = command.get_after_help() {
        page.extend_from_slice(lines_as_they_stand(&help.to_string()).as_bytes());
    }
    Ok(page)
}

/// Text whose lines roff leaves alone, under a heading.
fn lines_as_they_stand(text: &str) -> String {
    let lines = text.lines().filter(|line| *line != "Examples:").map(|line| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        let is_request = line.starts_with(['.', '\'']);
        format!("{}{line}\n", if is_request { "\\&" } else { "" })
    });
    format!(".SH EXAMPLES\n.nf\n{}.fi\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_options_and_its_examples() {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        let written = write_all(&command, folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), written);
        assert!(written > 40, "{written}");
        let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        let crawl = page("fyke-crawl.1");
        for part in ["fyke\\-crawl", "\\-\\-pages", ".SH EXAMPLES\n.nf\n", "\n  fyke crawl"] {
            assert!(crawl.contains(part), "no {part:?} in\n{crawl}");
        }
        assert!(page("fyke.1").contains("fyke\\-crawl(1)"));
        assert!(page("fyke-lab-tune.1").contains("\\-\\-measure"));
    }

    #[test]
    fn no_line_of_an_example_is_a_request() {
        let page = lines_as_they_stand("Examples:\n  a \\ b\n.so /etc/passwd\n'x\n");
        assert_eq!(page, ".SH EXAMPLES\n.nf\n  a \\e b\n\\&.so /etc/passwd\n\\&'x\n.fi\n");
    }
}
