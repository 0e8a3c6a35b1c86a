//! Transformations of the plane, as PDF writes them: six numbers, points as rows.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Matrix(pub(super) [f32; 6]);

impl Matrix {
    pub(super) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn translation(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Six numbers; anything else changes nothing.
    pub(super) fn from_numbers(numbers: &[f32]) -> Self {
        numbers.try_into().map_or(Self::IDENTITY, Self)
    }

    /// This one first, then `next`.
    pub(super) fn then(&self, next: &Self) -> Self {
        let Self([a, b, c, d, e, f]) = *self;
        let Self(n) = *next;
        Self([
            a * n[0] + b * n[2],
            a * n[1] + b * n[3],
            c * n[0] + d * n[2],
            c * n[1] + d * n[3],
            e * n[0] + f * n[2] + n[4],
            e * n[1] + f * n[3] + n[5],
        ])
    }

    pub(super) fn apply(&self, x: f32, y: f32) -> (f32, f32) {
        let Self([a, b, c, d, e, f]) = *self;
        (a * x + c * y + e, b * x + d * y + f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_two_acts_first() {
        let double = Matrix([2.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
        let both = Matrix::translation(1.0, 0.0).then(&double);
        assert_eq!(both.apply(3.0, 4.0), (8.0, 8.0));
        assert_eq!(Matrix::from_numbers(&[1.0]), Matrix::IDENTITY);
    }
}
