/** The word of `known` that a misspelling probably meant, or null. Case, `-` and `_` count for nothing. */
export function nearest(word: string, known: readonly string[]): string | null {
  const bare = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  const near = known
    .map((candidate) => ({ candidate, edits: edits(bare(word), bare(candidate)) }))
    .filter(({ candidate, edits }) => edits <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.candidate ?? null;
}

/** `; did you mean "x"?`, or what exists when nothing is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== null) return `; did you mean "${near}"?`;
  return known.length > 0 ? `; there is: ${known.join(', ')}` : '';
}

/** Letters to insert, drop, replace or swap with a neighbour. */
function edits(from: string, to: string): number {
  let older: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) best = Math.min(best, older[j - 2]! + 1);
      row.push(best);
    }
    older = previous;
    previous = row;
  }
  return previous[to.length]!;
}
