//! Readers of PDF and of spreadsheets beside ours, each in a process of its own with limits of CPU time and memory:
//! what became of it, what it found, CPU time, and the most memory it held (docs/decisions/010).
//!
//! ```text
//! CARGO_TARGET_DIR=target/peers cargo run --release --manifest-path benches/peers/formats/Cargo.toml -- \
//!     [--seconds 20] [--memory-mb 4000] [--runs 3] FILE|FOLDER…
//! ```
//! Beside the files that are named it reads four that it makes itself, small ones that ask for much. lopdf and
//! hayro-syntax read objects, streams and operators alone; ours reads fonts and layout as well and writes markup.
//! Of several runs the one with the least CPU time is shown.

mod hostile;
mod read;

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::{env, fs, io};

type Trouble = Box<dyn std::error::Error>;

struct Options {
    seconds: u64,
    memory_mb: u64,
    runs: usize,
    files: Vec<PathBuf>,
}

impl Options {
    fn read(words: &[String]) -> Result<Options, Trouble> {
        let mut options = Options { seconds: 20, memory_mb: 4000, runs: 3, files: Vec::new() };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut number = || words.next().ok_or(format!("{word} needs a number"));
            match word.as_str() {
                "--seconds" => options.seconds = number()?.parse()?,
                "--memory-mb" => options.memory_mb = number()?.parse()?,
                "--runs" => options.runs = number()?.parse::<usize>()?.max(1),
                file => add(Path::new(file), &mut options.files)?,
            }
        }
        Ok(options)
    }
}

/// Adds a file, or the PDF files and spreadsheets below a folder.
fn add(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries =
        fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for entry in entries {
        let is_wanted = matches!(extension(&entry), "pdf" | "xlsx" | "ods");
        if entry.is_dir() || is_wanted {
            add(&entry, files)?;
        }
    }
    Ok(())
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|it| it.to_str()).unwrap_or_default()
}

/// What became of one reader with one file.
struct Outcome {
    what: String,
    cpu: f64,
    memory_mb: f64,
}

fn main() -> Result<(), Trouble> {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [flag, reader, file] = &words[..]
        && flag == "--read"
    {
        let reader = read::READERS.iter().find(|row| row.name == reader).ok_or("no such reader")?;
        println!("{}", (reader.read)(&fs::read(file)?)?);
        return Ok(());
    }
    let mut options = Options::read(&words)?;
    let made = env::temp_dir().join(format!("fyke-formats-peer-{}", std::process::id()));
    fs::create_dir_all(&made)?;
    hostile::make(&made)?;
    add(&made, &mut options.files)?;
    let Options { seconds, memory_mb, runs, .. } = options;
    println!("limits: {seconds} s of CPU time, {memory_mb} MB of address space; best of {runs}\n");
    println!("| file | bytes | reader | outcome | CPU s | MB |\n|---|--:|---|---|--:|--:|");
    for file in &options.files {
        let of_kind = |row: &&read::Reader| row.extensions.contains(&extension(file));
        for reader in read::READERS.iter().filter(of_kind) {
            let outcome = best(reader.name, file, &options)?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let bytes = fs::metadata(file)?.len();
            let Outcome { what, cpu, memory_mb } = outcome;
            println!("| {name} | {bytes} | {} | {what} | {cpu:.3} | {memory_mb:.0} |", reader.name);
        }
    }
    fs::remove_dir_all(made)?;
    Ok(())
}

/// The run with the least CPU time; one that fails is not run again.
fn best(reader: &str, file: &Path, options: &Options) -> Result<Outcome, Trouble> {
    let mut best: Option<Outcome> = None;
    for _ in 0..options.runs {
        let (outcome, is_whole) = run(reader, file, options)?;
        if best.as_ref().is_none_or(|best| outcome.cpu < best.cpu) {
            best = Some(outcome);
        }
        if !is_whole {
            break;
        }
    }
    best.ok_or_else(|| "no run".into())
}

/// Lets a process of its own read a file; false when it did not come to its end.
fn run(reader: &str, file: &Path, options: &Options) -> Result<(Outcome, bool), Trouble> {
    let (seconds, bytes) = (options.seconds, options.memory_mb << 20);
    let mut command = Command::new(env::current_exe()?);
    command.args(["--read", reader]).arg(file).stdout(Stdio::piped()).stderr(Stdio::piped());
    // SAFETY: between fork and exec only setrlimit is called, which is safe to call there.
    unsafe {
        command.pre_exec(move || {
            limit(libc::RLIMIT_CPU, seconds)?;
            limit(libc::RLIMIT_AS, bytes)?;
            limit(libc::RLIMIT_CORE, 0)
        });
    }
    let mut child = command.spawn()?;
    let said = io::read_to_string(child.stdout.take().ok_or("no output")?)?;
    let complained = io::read_to_string(child.stderr.take().ok_or("no output")?)?;
    let (mut status, mut used) = (0, std::mem::MaybeUninit::<libc::rusage>::zeroed());
    // SAFETY: both pointers are to memory of this function; the child is ours and is waited for once.
    let (waited, used) = unsafe {
        (libc::wait4(child.id() as i32, &mut status, 0, used.as_mut_ptr()), used.assume_init())
    };
    if waited < 0 {
        return Err(io::Error::last_os_error().into());
    }
    let status = ExitStatus::from_raw(status);
    let time = |of: libc::timeval| of.tv_sec as f64 + of.tv_usec as f64 / 1e6;
    let outcome = Outcome {
        what: what(status, said.trim(), complained.trim()),
        cpu: time(used.ru_utime) + time(used.ru_stime),
        memory_mb: used.ru_maxrss as f64 / 1024.0,
    };
    Ok((outcome, status.success()))
}

fn limit(resource: libc::__rlimit_resource_t, most: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
    // SAFETY: the pointer is to a value of this function.
    match unsafe { libc::setrlimit(resource, &limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn what(status: ExitStatus, said: &str, complained: &str) -> String {
    let line = complained.lines().find(|line| !line.is_empty()).unwrap_or_default();
    let line: String = line.chars().filter(|c| *c != '|').take(90).collect();
    match (status.code(), status.signal()) {
        (Some(0), _) => said.to_owned(),
        (Some(101), _) => format!("panic: {line}"),
        (Some(_), _) => format!("refused: {line}"),
        (_, Some(libc::SIGXCPU | libc::SIGKILL)) => "time over".to_owned(),
        (_, Some(libc::SIGABRT)) => format!("aborted: {line}"),
        (_, Some(libc::SIGSEGV)) => "stack overflow".to_owned(),
        (_, signal) => format!("ended by signal {}: {line}", signal.unwrap_or_default()),
    }
}
