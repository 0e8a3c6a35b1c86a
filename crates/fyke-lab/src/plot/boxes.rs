//! Box plots (000 "Variance"): how figures are spread over queries.

use super::draw::{PlotFrame, number};
use fyke_eval::Spread;
use std::fmt::Write;

/// Half the height of a box, between 0 and 1 of what one name has.
const HALF: f64 = 0.3;

/// A box at its height; nothing if an end cannot be shown.
pub(super) fn draw(out: &mut String, (at, spread): (f64, &Spread), class: &str, frame: &PlotFrame) {
    let edges = [frame.y(at + HALF), frame.y(at), frame.y(at - HALF)];
    let places = [spread.least, spread.lower_quartile, spread.median, spread.upper_quartile];
    let places = places.map(|value| frame.x(value));
    let last = [frame.x(spread.most), frame.x(spread.mean)];
    let (
        [Some(top), Some(middle), Some(foot)],
        [Some(least), Some(lower), Some(median), Some(upper)],
    ) = (edges, places)
    else {
        return;
    };
    let [Some(most), Some(mean)] = last else { return };
    let [top, y, foot] = [top, middle, foot].map(number);
    let [least, lower, median, upper, most] = [least, lower, median, upper, most].map(number);
    let whiskers = format!("M{least} {y}H{lower}M{upper} {y}H{most}");
    let middle = format!("M{median} {top}V{foot}");
    let _ = writeln!(
        out,
        "<path class=\"{class}\" d=\"M{lower} {top}H{upper}V{foot}H{lower}Z{whiskers}{middle}\"/>\n\
         <circle class=\"{class} mean\" cx=\"{}\" cy=\"{y}\" r=\"3\"/>",
        number(mean)
    );
}
