//! Widens the columns of tables, and reorders their rows.

use sempre_certificate::table::Rows;

/// Returns the same rows, with a column widened to hold a number.
pub(super) fn widened(rows: &Rows, column: usize, number: i64) -> Rows {
    let old = rows.columns()[column];
    // Without bits all rows have the least value, if there is a row at all.
    let (least, greatest) = match rows.count() {
        0 if old.bits == 0 => (number, number),
        _ => (old.least, old.least.saturating_add_unsigned(old.mask())),
    };
    let (least, greatest) = (least.min(number), greatest.max(number));
    let bits = 64 - (greatest.wrapping_sub(least) as u64).leading_zeros();
    let columns = rows.columns().iter().enumerate();
    let mut wider = Rows::new(columns.map(|(place, old)| match place == column {
        true => (least, bits),
        false => (old.least, old.bits),
    }));
    copy(rows, 0..rows.count(), &mut wider);
    wider
}

/// Returns the rows in this order.
pub(super) fn ordered(rows: &Rows, order: &[u32]) -> Rows {
    let columns = rows.columns().iter().map(|column| (column.least, column.bits));
    let mut other = Rows::new(columns);
    copy(rows, order.iter().map(|row| *row as usize), &mut other);
    other
}

fn copy(rows: &Rows, order: impl Iterator<Item = usize>, to: &mut Rows) {
    let (mut numbers, mut packed) = (Vec::new(), Vec::new());
    for row in order {
        rows.unpack(row, &mut numbers);
        // Columns are as wide as before, or wider.
        if to.pack(&numbers, &mut packed).is_ok() {
            to.push(&packed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sempre_ltl::generate::Rng;

    /// Rows are the numbers that were packed, whatever the numbers and the order of widening.
    #[test]
    fn rows_keep_their_numbers() {
        let mut rng = Rng::new(0);
        for _ in 0..200 {
            let number = |rng: &mut Rng| match rng.index(4) {
                0 => [i64::MIN, i64::MAX, -1, 0][rng.index(4)],
                1 => rng.bits() as i64,
                _ => rng.below(5) as i64 - 2,
            };
            let count = rng.index(20);
            let rows: Vec<[i64; 3]> =
                (0..count).map(|_| [0; 3].map(|_: i64| number(&mut rng))).collect();
            let mut table = Rows::new([(0, 0); 3]);
            let mut packed = Vec::new();
            for row in &rows {
                while let Err(column) = table.pack(row, &mut packed) {
                    table = widened(&table, column, row[column]);
                }
                table.push(&packed);
            }
            assert_eq!(table.count(), rows.len());
            let backwards: Vec<u32> = (0..rows.len() as u32).rev().collect();
            let table = ordered(&table, &backwards);
            let mut numbers = Vec::new();
            for (number, row) in rows.iter().rev().enumerate() {
                table.unpack(number, &mut numbers);
                assert_eq!(numbers, row);
            }
        }
    }
}
