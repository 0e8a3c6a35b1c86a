//! `fyke completions`: what a shell must know to complete commands, options and values, from the table of commands.

use super::{Cli, Exit};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use std::io::{self, Write};

/// Print a script that completes commands and options in a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  fyke completions bash > ~/.local/share/bash-completion/completions/fyke
  fyke completions zsh > ~/.zfunc/_fyke       with fpath+=~/.zfunc before compinit in ~/.zshrc
  fyke completions fish > ~/.config/fish/completions/fyke.fish

Open a new shell afterwards.")]
pub(super) struct Args {
    /// The shell: bash, zsh, fish, elvish or powershell
    #[arg(value_name = "SHELL", value_enum, hide_possible_values = true)]
    shell: Shell,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    match io::stdout().write_all(&script(args.shell)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Exit::Done),
    }
}

fn script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    generate(shell, &mut Cli::command(), "fyke", &mut script);
    script
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;

    #[test]
    fn every_shell_is_told_all_commands_and_the_values_of_options() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(script(*shell)).unwrap();
            let wanted = ["crawl", "completions", "qrels", "--json", "--annotate", "markdown"];
            for word in wanted {
                let word = if *shell == Shell::Fish { word.trim_start_matches('-') } else { word };
                assert!(script.contains(word), "{shell}: no {word}");
            }
        }
    }
}
