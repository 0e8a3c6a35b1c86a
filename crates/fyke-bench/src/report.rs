//! What a benchmark found, for people and as JSON; always with the machine, version and command.

use super::machine::machine;
use fyke::cli::output;
use serde_json::{Map, Value, json};

/// One number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
}

/// All numbers, and what was measured several times on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BenchReport {
    pub figures: Vec<Figure>,
    pub series: Vec<Vec<Figure>>,
    /// What each row of the series is about, where its figures do not tell.
    pub labels: Vec<String>,
}

impl BenchReport {
    pub(crate) fn add(&mut self, name: &'static str, value: f64, unit: &'static str) {
        self.figures.push(Figure { name, value, unit });
    }
}

/// Prints a report of the benchmark with this name and purpose.
pub(crate) fn say(
    is_json: bool,
    (name, what): (&str, &str),
    pinned: Option<usize>,
    report: &BenchReport,
) -> anyhow::Result<()> {
    let (machine, version) = (machine(), env!("CARGO_PKG_VERSION"));
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    if is_json {
        return output::say_json(&json!({
            "benchmark": name, "what": what, "version": version, "build": build,
            "command": command(), "machine": machine, "pinned_to_core": pinned,
            "figures": values(&report.figures),
            "series": report.series.iter().enumerate().map(|(at, row)| {
                let mut row = values(row);
                if let Some(label) = report.labels.get(at) {
                    row.insert("label".to_owned(), json!(label));
                }
                row
            }).collect::<Vec<_>>(),
        }));
    }
    let memory = fyke_stages::show::size(machine.memory_bytes);
    let place = pinned.map_or(String::new(), |core| format!(", pinned to core {core}"));
    output::say(&format!(
        "{what}\n{} · fyke {version}, {build} build\n{} cores, {}, Linux {}, {memory}{place}\n",
        command(),
        machine.cores,
        machine.model,
        machine.kernel,
    ));
    let rows = report.figures.iter().map(|f| vec![words(f.name), shown(f.value), f.unit.into()]);
    output::say(&output::table(&rows.collect::<Vec<_>>()));
    if let Some(first) = report.series.first() {
        let head = first.iter().map(|f| format!("{} {}", words(f.name), f.unit).trim().to_owned());
        let is_labelled = !report.labels.is_empty();
        let head = is_labelled.then(String::new).into_iter().chain(head);
        let rows = report.series.iter().enumerate().map(|(at, row)| {
            let label = report.labels.get(at).cloned();
            label.into_iter().chain(row.iter().map(|f| shown(f.value))).collect()
        });
        let rows: Vec<Vec<String>> = std::iter::once(head.collect()).chain(rows).collect();
        output::say(&format!("\n{}", output::table_with_head(&rows)));
    }
    Ok(())
}

/// As it was typed, without the folder of the program.
fn command() -> String {
    let rest = std::env::args().skip(1);
    std::iter::once("cargo bench-fyke".to_owned()).chain(rest).collect::<Vec<_>>().join(" ")
}

fn values(figures: &[Figure]) -> Map<String, Value> {
    figures.iter().map(|figure| (figure.name.to_owned(), number(figure.value))).collect()
}

/// Whole numbers are written as such.
fn number(value: f64) -> Value {
    let whole = value.fract() == 0.0 && value.abs() < 9e15;
    if whole { json!(value as i64) } else { json!(value) }
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// With as many digits as say something.
fn shown(value: f64) -> String {
    let size = value.abs();
    match size {
        _ if value.is_nan() => "–".to_owned(),
        _ if value.fract() == 0.0 && value >= 0.0 => fyke_stages::show::count(value as u64),
        100.0.. => fyke_stages::show::count(value.max(0.0).round() as u64),
        1.0..100.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_that_say_something() {
        let check = |value: f64, text: &str, json: &str| {
            assert_eq!((shown(value), number(value).to_string()), (text.into(), json.into()));
        };
        check(0.0, "0", "0");
        check(12_345.0, "12,345", "12345");
        check(1_234.56, "1,235", "1234.56");
        check(1.2345, "1.23", "1.2345");
        check(0.12345, "0.1235", "0.12345");
        check(f64::NAN, "–", "null");
    }
}
