/** Stretches of times whose neighbours are at most `gapS` apart. Times rise. */
export function runs(times: Iterable<number>, gapS: number): { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (const time of times) {
    const last = found.at(-1);
    if (last && time - last.to <= gapS) last.to = time;
    else found.push({ from: time, to: time });
  }
  return found;
}
