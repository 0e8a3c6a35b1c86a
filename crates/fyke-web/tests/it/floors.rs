//! Figures are held to the floors in `gates.toml`. The tests of `fyke-formats` use this file, too.

/// The floor of a figure.
#[track_caller]
fn least(table: &str, figure: &str) -> f64 {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../gates.toml");
    let gates: toml::Table =
        std::fs::read_to_string(path).expect("the gates").parse().expect("a table");
    let value = &gates[table]["least"][figure];
    value.as_float().or(value.as_integer().map(|whole| whole as f64)).expect("a number")
}

/// Holds a figure to its floor; `worst` says where to look.
#[track_caller]
pub(crate) fn hold(table: &str, figure: &str, reached: f64, worst: &[String]) {
    let floor = least(table, figure);
    assert!(reached >= floor, "{table}: {figure} {reached:.4} is below {floor}: {worst:#?}");
}
