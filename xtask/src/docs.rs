//! `cargo xtask docs`: the documentation site in target/docs. The pages of `docs/` and of the root are
//! copied, the help of each command is filled in as the program prints it, and mdBook makes HTML of it.

use crate::{answers, cargo, run};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Pages of the repository's root that are part of the site.
const ROOT_PAGES: &[&str] = &["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"];
/// The version of mdBook that was tried.
const MDBOOK: &str = "0.4.52";
/// What opens the place of a command's help in a page: `<!-- help: fyke crawl -->`.
const HELP: &str = "<!-- help: fyke";

/// Builds the site. `--program FILE` takes the help from that program instead of building one.
pub fn docs(words: &[String]) -> Result<()> {
    let program = match words {
        [] => build()?,
        [option, path] if option == "--program" => PathBuf::from(path),
        _ => bail!("usage: cargo xtask docs [--program FILE]"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (source, site) = (root.join("target/docs-source"), root.join("target/docs"));
    for folder in [&source, &site] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    let pages = source.join("src");
    copy(&root.join("docs"), &pages, 0, &program)?;
    for page in ROOT_PAGES {
        let text = fs::read_to_string(root.join(page))?.replace("](docs/", "](");
        fs::write(pages.join(page), text)?;
    }
    fs::rename(pages.join("book.toml"), source.join("book.toml"))?;
    run(Command::new(mdbook(&root)?).arg("build").arg(&source).arg("--dest-dir").arg(&site))?;
    eprintln!("xtask: the site begins at {}", root.join("target/docs/index.html").display());
    Ok(())
}

/// Builds the program and says where it is: beside the folder of this program's own profile.
fn build() -> Result<PathBuf> {
    run(cargo().args(["build", "--release", "--package", "fyke"]))?;
    let own = std::env::current_exe()?;
    let target = own.ancestors().nth(2).context("this program has no target folder")?;
    Ok(target.join("release/fyke"))
}

/// Copies a folder that is `depth` folders below `docs/`; pages are filled in on the way.
fn copy(from: &Path, to: &Path, depth: usize, program: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let place = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &place, depth + 1, program)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            let text = fs::read_to_string(&path)?;
            let text = helped(&text, program).with_context(|| path.display().to_string())?;
            fs::write(&place, moved(&text, depth))?;
        } else {
            fs::copy(&path, &place)?;
        }
    }
    Ok(())
}

/// In the site the pages of the root lie beside those of `docs/`, one folder nearer.
fn moved(text: &str, depth: usize) -> String {
    let mut text = text.to_owned();
    for page in ROOT_PAGES {
        let (far, near) = ("../".repeat(depth + 1), "../".repeat(depth));
        text = text.replace(&format!("]({far}{page}"), &format!("]({near}{page}"));
    }
    text
}

/// A page with the help of the commands that it names.
fn helped(text: &str, program: &Path) -> Result<String> {
    let mut page = String::new();
    for line in text.lines() {
        match line.strip_prefix(HELP).and_then(|rest| rest.strip_suffix("-->")) {
            Some(words) => {
                let words: Vec<&str> = words.split_whitespace().collect();
                page += &help(program, &words)?;
            }
            None => page += line,
        }
        page.push('\n');
    }
    Ok(page)
}

/// What a command says about itself and, one after the other, its subcommands do.
fn help(program: &Path, words: &[&str]) -> Result<String> {
    let output = Command::new(program).args(words).arg("--help").output();
    let output = output.with_context(|| format!("could not start {}", program.display()))?;
    let shown = ["fyke", &words.join(" ")].join(" ");
    if !output.status.success() {
        bail!("{shown} --help: {}", String::from_utf8_lossy(&output.stderr));
    }
    let text = String::from_utf8(output.stdout)?;
    let mut page = format!("```text\n{}\n```\n", text.trim_end());
    let below = if words.is_empty() { Vec::new() } else { subcommands(&text) };
    for name in below {
        let words = [words, &[name]].concat();
        page += &format!("\n## {shown} {name}\n\n{}", help(program, &words)?);
    }
    Ok(page)
}

/// The names under "Commands:", but for `help`.
fn subcommands(help: &str) -> Vec<&str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help").collect()
}

/// mdBook: that of the machine, else one installed into target/tools.
fn mdbook(root: &Path) -> Result<PathBuf> {
    let tools = root.join("target/tools");
    let own = tools.join("bin/mdbook");
    if own.exists() {
        return Ok(own);
    }
    if answers("mdbook", &["--version"]) {
        return Ok(PathBuf::from("mdbook"));
    }
    let mut install = cargo();
    install.args(["install", "mdbook", "--locked", "--version", MDBOOK, "--no-default-features"]);
    run(install.args(["--features", "search", "--root"]).arg(&tools))
        .context("the site needs mdBook; install it with: cargo install mdbook --locked")?;
    Ok(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subcommands_are_read_from_the_list_and_nowhere_else() {
        let help = "Order things\n\nCommands:\n  train    Learn them, and\n           place these\n  \
                    apply    Do it\n  help     Print this\n\nOptions:\n  -C <DIR>  Folder\n";
        assert_eq!(subcommands(help), ["train", "apply"]);
        assert!(subcommands("Usage: fyke url\n\nOptions:\n  --json\n").is_empty());
    }

    #[test]
    fn pages_of_the_root_are_found_from_every_depth() {
        let check = |text: &str, depth, expected: &str| assert_eq!(moved(text, depth), expected);
        check("[a](../ARCHITECTURE.md#glossary)", 0, "[a](ARCHITECTURE.md#glossary)");
        check("[a](../../CHANGELOG.md)", 1, "[a](../CHANGELOG.md)");
        check("[a](../lab.md) `../CHANGELOG.md`", 1, "[a](../lab.md) `../CHANGELOG.md`");
    }

    #[test]
    fn only_the_mark_of_a_page_is_filled_in() {
        let page = "# fyke\n\nText <!-- help: fyke x --> stays.\n";
        assert_eq!(helped(page, Path::new("no such program")).unwrap(), page);
        assert!(helped("<!-- help: fyke crawl -->\n", Path::new("no such program")).is_err());
    }
}
