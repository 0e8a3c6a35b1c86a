//! The normal and Student's t distribution: tails by continued fractions, quantiles by halving. Held
//! to printed tables by the tests, more closely than the libraries tried (docs/decisions/012); what a test of
//! significance needs and no more.

/// Steps after which a continued fraction or a series has long settled.
const MOST_STEPS: usize = 500;
/// A denominator that would be 0 is replaced by this.
const TINY: f64 = 1e-300;
/// Halvings after which a quantile is as exact as a double is.
const HALVINGS: usize = 200;

/// The share of a standard normal variable above `z`.
#[must_use]
pub(crate) fn normal_tail(z: f64) -> f64 {
    let half = half_normal_tail(z.abs());
    if z >= 0.0 { half } else { 1.0 - half }
}

/// Above `z` not below 0: the incomplete beta function of Student's t has the normal as its limit,
/// but its own series and fraction are quicker and exact.
fn half_normal_tail(z: f64) -> f64 {
    let density = (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    if z < 2.0 {
        // Φ(z) - 1/2 = φ(z) (z + z³/3 + z⁵/15 + …)
        let (mut term, mut sum) = (z, z);
        for step in 1..MOST_STEPS {
            term *= z * z / (2 * step + 1) as f64;
            sum += term;
        }
        return 0.5 - density * sum;
    }
    // φ(z) / (z + 1/(z + 2/(z + 3/(z + …)))), from the inside.
    let inside = (1..100).rev().fold(z, |below, step| z + f64::from(step) / below);
    density / inside
}

/// The share of Student's t of `freedom` degrees of freedom above `t`.
#[must_use]
pub(crate) fn student_tail(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return if t > 0.0 { 0.0 } else { 1.0 };
    }
    let half = incomplete_beta(freedom / (freedom + t * t), freedom / 2.0, 0.5) / 2.0;
    if t >= 0.0 { half } else { 1.0 - half }
}

/// The value above which `share` of the standard normal lies.
#[must_use]
pub(crate) fn normal_quantile(share: f64) -> f64 {
    halve(share, normal_tail)
}

/// The value above which `share` of Student's t lies.
#[must_use]
pub(crate) fn student_quantile(share: f64, freedom: f64) -> f64 {
    halve(share, |t| student_tail(t, freedom))
}

/// Where a falling function is `share`.
fn halve(share: f64, tail: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-1e6, 1e6);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if tail(middle) > share { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The regularised incomplete beta function.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return if x <= 0.0 { 0.0 } else { 1.0 };
    }
    // The fraction settles quickly on one side of the mean only; the other is its mirror image.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(1.0 - x, b, a);
    }
    let whole = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    let front = (whole + a * x.ln() + b * (-x).ln_1p()).exp();
    front * beta_fraction(x, a, b) / a
}

/// The continued fraction of the incomplete beta function, by Lentz's method.
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let not_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut below = 1.0 / not_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut above = 1.0;
    let mut value = below;
    for step in 1..MOST_STEPS {
        let m = step as f64;
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for part in [even, odd] {
            below = 1.0 / not_zero(1.0 + part * below);
            above = not_zero(1.0 + part / above);
            change = below * above;
            value *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    value
}

/// The logarithm of the gamma function above 0: moved up to where Stirling's series is exact.
fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut moved) = (x, 0.0);
    while x < 15.0 {
        moved += x.ln();
        x += 1.0;
    }
    let square = x * x;
    let series =
        1.0 / 12.0 - (1.0 / 360.0 - (1.0 / 1260.0 - 1.0 / (1680.0 * square)) / square) / square;
    let circle = (2.0 * std::f64::consts::PI).ln();
    (x - 0.5) * x.ln() - x + circle / 2.0 + series / x - moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!(
            (found - expected).abs() < 5e-14 * expected.abs().max(1e-3),
            "{found}, not {expected}"
        );
    }

    #[test]
    fn tails_are_those_of_the_tables() {
        check(normal_tail(0.0), 0.5);
        check(normal_tail(1.0), 0.158_655_253_931_457_07);
        check(normal_tail(1.96), 0.024_997_895_148_220_435);
        check(normal_tail(-1.96), 0.975_002_104_851_779_5);
        check(normal_tail(6.0), 9.865_876_450_376_946e-10);
        check(student_tail(0.0, 7.0), 0.5);
        check(student_tail(1.0, 1.0), 0.25);
        check(student_tail(2.0, 2.0), 0.091_751_709_536_136_96);
        check(student_tail(2.262_157_162_798_205, 9.0), 0.025);
        check(student_tail(-2.262_157_162_798_205, 9.0), 0.975);
        check(student_tail(f64::INFINITY, 3.0), 0.0);
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        check(normal_quantile(0.025), 1.959_963_984_540_054);
        check(student_quantile(0.025, 1.0), 12.706_204_736_174_7);
        check(student_quantile(0.025, 4.0), 2.776_445_105_197_793);
        check(student_quantile(0.005, 30.0), 2.749_995_653_567_225);
        check(student_quantile(0.95, 10.0), -1.812_461_122_811_676);
    }

    proptest! {
        #[test]
        fn tails_fall_and_mirror_themselves(t in -40.0..40.0f64, freedom in 1.0..2000.0f64) {
            for tail in [normal_tail(t) + normal_tail(-t), student_tail(t, freedom) + student_tail(-t, freedom)] {
                prop_assert!((tail - 1.0).abs() < 1e-12);
            }
            prop_assert!(student_tail(t, freedom) >= student_tail(t + 0.1, freedom));
            prop_assert!(normal_tail(t) >= normal_tail(t + 0.1));
        }

        #[test]
        fn a_quantile_has_its_share_above_it(share in 0.001..0.999f64, freedom in 1.0..500.0f64) {
            prop_assert!((student_tail(student_quantile(share, freedom), freedom) - share).abs() < 1e-9);
            prop_assert!((normal_tail(normal_quantile(share)) - share).abs() < 1e-9);
        }
    }
}
