/** What the variables of a request hold, however it is nested. */
export interface VariablesSize {
  /** Scalars, lists and objects. */
  readonly values: number;
  /** Characters of the longest text or name. */
  readonly longest: number;
}

/** Counts without recursion: JSON can be nested deeper than the stack goes. */
export function variablesSize(variables: unknown): VariablesSize {
  const rest: unknown[] = [variables ?? {}];
  // The object that holds them is none of them.
  let values = -1;
  let longest = 0;
  while (rest.length > 0) {
    const value = rest.pop();
    values += 1;
    if (typeof value === 'string') longest = Math.max(longest, value.length);
    if (typeof value !== 'object' || value === null) continue;
    if (!Array.isArray(value)) for (const name of Object.keys(value)) longest = Math.max(longest, name.length);
    for (const item of Object.values(value)) rest.push(item);
  }
  return { values, longest };
}
