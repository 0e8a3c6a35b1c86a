//! A plot as SVG text: title, legend, axes, marks. All lengths are in the picture's own units; the page
//! scales it.

use super::axis::AxisScale;
use super::{FigureInterval, Mark, Plot, PlotBar, boxes};
use fyke_web::escape::escape;
use std::fmt::Write;

const WIDTH: f64 = 480.0;
/// Height of the area that holds the marks.
const AREA: f64 = 200.0;
const LINE: f64 = 20.0;
const RIGHT: f64 = 16.0;
/// What a character takes at the most, in the larger type of narrow screens.
const LETTER: f64 = 8.5;
/// The longest text that is shown.
const LONGEST: usize = 56;
/// Colours in the sheet; further marks begin again.
const COLOURS: usize = 6;

/// Where the marks go.
pub(super) struct PlotFrame {
    left: f64,
    top: f64,
    x: AxisScale,
    y: AxisScale,
}

impl PlotFrame {
    pub(crate) fn x(&self, value: f64) -> Option<f64> {
        self.x.share(value).map(|share| self.left + share * (WIDTH - RIGHT - self.left))
    }

    fn x_clamped(&self, value: f64) -> Option<f64> {
        self.x.clamped(value).map(|share| self.left + share * (WIDTH - RIGHT - self.left))
    }

    pub(crate) fn y(&self, value: f64) -> Option<f64> {
        self.y.share(value).map(|share| self.top + (1.0 - share) * AREA)
    }

    /// The picture's points of those that can be shown.
    fn places(&self, points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        points.iter().filter_map(|&(x, y)| Some((self.x(x)?, self.y(y)?))).collect()
    }
}

pub(super) fn svg(plot: &Plot, style: &str) -> String {
    let x = plot.x.lay_out(plot.marks.iter().flat_map(Mark::xs));
    let y = plot.y.lay_out(plot.marks.iter().flat_map(Mark::ys));
    let widest = y.ticks.iter().map(|tick| y.label(*tick).chars().count()).max().unwrap_or(1);
    let legend = legend(plot);
    let rows = legend.iter().map(|entry| entry.row + 1).max().unwrap_or(0) as f64;
    let label = if plot.y.label.is_empty() { 0.0 } else { LINE };
    let frame = PlotFrame {
        left: widest as f64 * LETTER + 10.0,
        top: LINE + rows * LINE + label + 12.0,
        x,
        y,
    };
    let height = frame.top + AREA + 2.0 * LINE + 6.0;
    let title = text(&plot.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" \
         aria-label=\"{title}\">\n{style}<text class=\"title\" x=\"0\" y=\"15\">{title}</text>\n",
        number(WIDTH),
        number(height)
    );
    legend.iter().for_each(|entry| entry.draw(&mut out));
    shade(&mut out, plot, &frame);
    axes(&mut out, plot, &frame);
    for (colour, mark) in coloured(plot) {
        draw(&mut out, mark, colour, &frame);
    }
    out.push_str("</svg>");
    out
}

/// Marks with their colours: windows and markers have one of their own.
fn coloured(plot: &Plot) -> impl Iterator<Item = (usize, &Mark)> {
    plot.marks.iter().scan(0, |next, mark| {
        let colour = *next % COLOURS;
        let takes = !matches!(mark, Mark::Window { .. } | Mark::Marker { .. });
        *next += usize::from(takes);
        Some((colour, mark))
    })
}

/// One mark's name, with the sign it goes by.
struct LegendEntry {
    label: String,
    sign: String,
    row: usize,
    x: f64,
}

impl LegendEntry {
    fn draw(&self, out: &mut String) {
        let y = 34.0 + self.row as f64 * LINE;
        let (x, y) = (number(self.x), number(y));
        let _ = writeln!(
            out,
            "<g class=\"legend\" transform=\"translate({x} {y})\">{}<text x=\"20\" y=\"4\">{}</text></g>",
            self.sign, self.label
        );
    }
}

fn legend(plot: &Plot) -> Vec<LegendEntry> {
    let (mut row, mut x) = (0, 0.0);
    let mut entries = Vec::new();
    for (colour, mark) in coloured(plot).filter(|(_, mark)| !mark.label().is_empty()) {
        let width = 30.0 + mark.label().chars().count().min(LONGEST) as f64 * LETTER;
        if x > 0.0 && x + width > WIDTH {
            (row, x) = (row + 1, 0.0);
        }
        entries.push(LegendEntry { label: text(mark.label()), sign: sign(mark, colour), row, x });
        x += width;
    }
    entries
}

fn sign(mark: &Mark, colour: usize) -> String {
    let class = class(mark, colour);
    match mark {
        Mark::Points { .. } => format!("<circle class=\"{class}\" cx=\"7\" cy=\"0\" r=\"3\"/>"),
        Mark::Bars { .. } | Mark::Window { .. } | Mark::Box { .. } => {
            format!("<rect class=\"{class}\" x=\"0\" y=\"-5\" width=\"14\" height=\"10\"/>")
        }
        Mark::Marker { .. } => format!("<path class=\"{class}\" d=\"M7 -6V6\"/>"),
        _ => format!("<path class=\"{class}\" d=\"M0 0H14\"/>"),
    }
}

fn class(mark: &Mark, colour: usize) -> String {
    match mark {
        Mark::Line { .. } | Mark::Stairs { .. } | Mark::Intervals { .. } => {
            format!("line c{colour}")
        }
        Mark::Model { .. } => format!("line model c{colour}"),
        Mark::Points { .. } => format!("point c{colour}"),
        Mark::Bars { .. } => format!("bar c{colour}"),
        Mark::Box { .. } => format!("box c{colour}"),
        Mark::Window { .. } => "window".to_owned(),
        Mark::Marker { .. } => "marker".to_owned(),
    }
}

/// Windows lie behind the axes' lines.
fn shade(out: &mut String, plot: &Plot, frame: &PlotFrame) {
    for mark in &plot.marks {
        let Mark::Window { from, to, .. } = mark else { continue };
        let ends = (frame.x_clamped(from.min(*to)), frame.x_clamped(from.max(*to)));
        if let (Some(left), Some(right)) = ends {
            let (x, y) = (number(left), number(frame.top));
            let (width, height) = (number(right - left), number(AREA));
            let shape = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
            let _ = writeln!(out, "<rect class=\"window\" {shape}/>");
        }
    }
}

fn axes(out: &mut String, plot: &Plot, frame: &PlotFrame) {
    let (left, right) = (number(frame.left), number(WIDTH - RIGHT));
    let (top, foot) = (frame.top, frame.top + AREA);
    let mut grid = String::new();
    for tick in &frame.y.ticks {
        let Some(y) = frame.y(*tick) else { continue };
        let _ = write!(grid, "M{left} {}H{right}", number(y));
        let (x, y) = (number(frame.left - 6.0), number(y + 4.0));
        let label = text(&frame.y.label(*tick));
        let _ = writeln!(out, "<text class=\"tick end\" x=\"{x}\" y=\"{y}\">{label}</text>");
    }
    for tick in &frame.x.ticks {
        let Some(x) = frame.x(*tick) else { continue };
        let _ = write!(grid, "M{} {}V{}", number(x), number(top), number(foot + 4.0));
        let (x, y) = (number(x), number(foot + 18.0));
        let label = text(&frame.x.label(*tick));
        let _ = writeln!(out, "<text class=\"tick middle\" x=\"{x}\" y=\"{y}\">{label}</text>");
    }
    let _ = writeln!(out, "<path class=\"grid\" d=\"{grid}\"/>");
    let (top, foot, low) = (number(top), number(foot), number(foot + 18.0 + LINE));
    let _ = writeln!(out, "<path class=\"axis\" d=\"M{left} {top}V{foot}H{right}\"/>");
    if !plot.y.label.is_empty() {
        let (y, label) = (number(frame.top - 10.0), text(&plot.y.label));
        let _ = writeln!(out, "<text class=\"label\" x=\"0\" y=\"{y}\">{label}</text>");
    }
    let label = text(&plot.x.label);
    let _ = writeln!(out, "<text class=\"label end\" x=\"{right}\" y=\"{low}\">{label}</text>");
}

fn draw(out: &mut String, mark: &Mark, colour: usize, frame: &PlotFrame) {
    let class = class(mark, colour);
    let path = match mark {
        Mark::Line { points, .. } | Mark::Model { points, .. } => joined(&frame.places(points)),
        Mark::Stairs { points, .. } => stairs(&frame.places(points)),
        Mark::Marker { at, .. } => frame.x(*at).map_or_else(String::new, |x| {
            format!("M{} {}V{}", number(x), number(frame.top), number(frame.top + AREA))
        }),
        Mark::Bars { bars, .. } => bars_path(bars, frame),
        Mark::Intervals { figures, .. } => intervals(out, figures, colour, frame),
        Mark::Box { at, spread, .. } => {
            boxes::draw(out, (*at, spread), &class, frame);
            return;
        }
        Mark::Points { points, .. } => {
            for (x, y) in frame.places(points) {
                let (x, y) = (number(x), number(y));
                let _ =
                    writeln!(out, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"2.5\"/>");
            }
            return;
        }
        Mark::Window { .. } => return,
    };
    if !path.is_empty() {
        let _ = writeln!(out, "<path class=\"{class}\" d=\"{path}\"/>");
    }
}

/// A line from end to end with a dot at the figure; returns the path of the lines.
fn intervals(
    out: &mut String,
    figures: &[FigureInterval],
    colour: usize,
    frame: &PlotFrame,
) -> String {
    let mut path = String::new();
    for figure in figures {
        let ends = (frame.x_clamped(figure.low), frame.x_clamped(figure.high));
        let ((Some(low), Some(high)), Some(x), Some(y)) =
            (ends, frame.x(figure.value), frame.y(figure.at))
        else {
            continue;
        };
        let (low, high, top, foot) = (number(low), number(high), number(y - 4.0), number(y + 4.0));
        let (x, y) = (number(x), number(y));
        let _ = write!(path, "M{low} {y}H{high}M{low} {top}V{foot}M{high} {top}V{foot}");
        let _ = writeln!(out, "<circle class=\"point c{colour}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>");
    }
    path
}

fn joined(places: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in places.iter().enumerate() {
        let step = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{step}{} {}", number(*x), number(*y));
    }
    path
}

fn stairs(places: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in places.iter().enumerate() {
        let (x, y) = (number(*x), number(*y));
        let _ = if index == 0 { write!(path, "M{x} {y}") } else { write!(path, "H{x}V{y}") };
    }
    path
}

/// Bars stand on zero, or on the foot of an axis that has no zero, with a hair between wide ones.
fn bars_path(bars: &[PlotBar], frame: &PlotFrame) -> String {
    let foot = frame.y(0.0).unwrap_or(frame.top + AREA);
    let mut path = String::new();
    for &PlotBar { from, to, height } in bars {
        let ends = (frame.x_clamped(from), frame.x_clamped(to), frame.y(height));
        let (Some(left), Some(right), Some(top)) = ends else { continue };
        let right = if right - left > 3.0 { right - 1.0 } else { right.max(left + 0.5) };
        let [left, right, top, foot] = [left, right, top, foot].map(number);
        let _ = write!(path, "M{left} {foot}V{top}H{right}V{foot}Z");
    }
    path
}

/// A length with one decimal at the most.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    let short = text.strip_suffix(".0").unwrap_or(&text);
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// A text as SVG holds it: escaped, of a bounded length, without what XML does not allow.
fn text(raw: &str) -> String {
    let plain = |text: &str| escape(&text.replace(char::is_control, " "));
    match raw.char_indices().nth(LONGEST) {
        Some((end, _)) => plain(&raw[..end]) + "…",
        None => plain(raw),
    }
}
