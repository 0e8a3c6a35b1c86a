//! The document slope curve of a page (003 figure 3.17): words on x, tags so far on y, and what was
//! chosen as main text behind it. Where the curve is flat there is text.

use super::{Axis, Mark, Plot};
use fyke_web::{Blocks, slope_curve, stretches};

/// Points that are drawn at the most; of more, some are left out.
const POINTS: usize = 2_000;
/// Stretches that are shaded at the most.
const STRETCHES: usize = 100;

/// The curve of a page with the blocks `kept` shaded.
#[must_use]
pub fn slope(blocks: &Blocks, kept: &[usize]) -> Plot {
    let points = slope_curve(blocks);
    let step = points.len().div_ceil(POINTS).max(1);
    let last = points.last().copied().into_iter();
    let points = points.iter().copied().step_by(step).chain(last);
    let mut marks: Vec<Mark> = stretches(blocks, kept)
        .into_iter()
        .take(STRETCHES)
        .enumerate()
        .map(|(at, (from, to))| Mark::Window {
            label: if at == 0 { "main text".to_owned() } else { String::new() },
            from: from as f64,
            to: to as f64,
        })
        .collect();
    marks.push(Mark::Line {
        label: "tags so far".to_owned(),
        points: points.map(|(words, tags)| (words as f64, tags as f64)).collect(),
    });
    Plot {
        title: "Document slope curve".to_owned(),
        x: Axis::linear("words"),
        y: Axis::linear("tags"),
        marks,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_shaded_behind_the_curve() {
        let blocks = fyke_web::blocks("<ul><li>a<li>b</ul><p>one two three four</p>");
        let plot = slope(&blocks, &[2]);
        assert!(matches!(&plot.marks[0], Mark::Window { from: 2.0, to: 6.0, .. }));
        assert!(
            matches!(&plot.marks[1], Mark::Line { points, .. } if points.contains(&(6.0, 6.0)))
        );
        assert!(slope(&fyke_web::blocks(""), &[]).svg().starts_with("<svg"));
    }

    #[test]
    fn a_long_page_is_drawn_with_few_points() {
        let blocks = fyke_web::blocks(&"<p>word".repeat(20_000));
        let plot = slope(&blocks, &[]);
        assert!(matches!(&plot.marks[0], Mark::Line { points, .. } if points.len() <= POINTS + 1));
    }
}
