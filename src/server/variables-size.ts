/** What the variables of a request hold, however it is nested. */
export interface VariablesSize {
  /** Scalars, lists and objects. */
  readonly values: number;
  /** Characters of the longest text or name. */
  readonly longest: number;
  /** Lists and objects in each other. */
  readonly nesting: number;
}

/** Counts without recursion: JSON can be nested deeper than the stack goes. */
export function variablesSize(variables: unknown): VariablesSize {
  const rest: { readonly value: unknown; readonly depth: number }[] = [{ value: variables ?? {}, depth: 0 }];
  // The object that holds them is none of them.
  let values = -1;
  let longest = 0;
  let nesting = 0;
  for (let at = rest.pop(); at !== undefined; at = rest.pop()) {
    const { value, depth } = at;
    values += 1;
    if (typeof value === 'string') longest = Math.max(longest, value.length);
    if (typeof value !== 'object' || value === null) continue;
    nesting = Math.max(nesting, depth);
    if (!Array.isArray(value)) for (const name of Object.keys(value)) longest = Math.max(longest, name.length);
    for (const item of Object.values(value)) rest.push({ value: item, depth: depth + 1 });
  }
  return { values, longest, nesting };
}
