import type { Row } from '../domain/series.ts';

const percent = 1;
const ratio = 100;

/**
 * The scale to percent of each row of a metric whose name is used both for 0..1 and for 0..100. A value above 1 is a
 * percentage, a fraction below it a ratio; failing both, no exporter that prints a ratio has the old driver label; failing
 * that, what the other rows show. Null where nothing tells: such a row is no reading.
 */
export function ratioScales(rows: readonly Row[]): (number | null)[] {
  const shown = rows.map(shownBy);
  const anyone = new Set(shown.filter((scale) => scale !== null));
  const common = anyone.size === 1 ? [...anyone][0]! : null;
  return rows.map((row, i) => shown[i] ?? common ?? (row.values.every((value) => value === 0) ? percent : null));
}

function shownBy({ labels, values }: Row): number | null {
  if (values.some((value) => value > 1 && value <= 100)) return percent;
  if (values.some((value) => value > 0 && value < 1)) return ratio;
  return labels['DCGM_FI_DRIVER_VERSION'] ? percent : null;
}
