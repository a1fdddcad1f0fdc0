const spelled: ReadonlyMap<string, number> = new Map([
  ['NaN', NaN],
  ['+Inf', Infinity],
  ['Inf', Infinity],
  ['-Inf', -Infinity],
]);
/** What `Number()` reads besides decimal numbers: nothing, white space, `0x1f`, `Infinity`. */
const noDecimal = /^$|[^\d+\-.eE]/;

/** The number that a store spells as `text`; undefined where it is none. */
export function numberIn(text: string): number | undefined {
  const number = noDecimal.test(text) ? spelled.get(text) : Number(text);
  return Number.isNaN(number) && text !== 'NaN' ? undefined : number;
}
