import type { MortalStore } from './mortal-store.ts';

/** Every sample of every series, a series being its labels as sorted JSON: milliseconds and value, in order of time. */
export type Held = ReadonlyMap<string, readonly (readonly [ms: number, value: number])[]>;

export const keyOf = (labels: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What a store holds of a run (or of all), straight from its own API, nothing computed. */
export async function heldBy(store: MortalStore, run?: string, metrics = 'gpuql_run_.+'): Promise<Held> {
  await store.flush();
  const selector = `{__name__=~"${metrics}"${run === undefined ? '' : `,run="${run}"`}}`;
  return store.family === 'prometheus' ? selected(store.url, selector) : exported(store.url, selector);
}

async function selected(url: string, selector: string): Promise<Held> {
  const query = new URLSearchParams({ query: `${selector}[1000d]`, time: String(Date.now() / 1000 + 3600) });
  const answer = (await (await fetch(`${url}/api/v1/query`, { method: 'POST', body: query })).json()) as {
    data: { result: { metric: Record<string, string>; values: [number, string][] }[] };
  };
  return new Map(
    answer.data.result.map(({ metric, values }) => [
      keyOf(metric),
      values.map(([time, text]) => [Math.round(time * 1000), Number(text)] as const),
    ]),
  );
}

/** VictoriaMetrics shows here what it holds twice, which its queries do not. */
async function exported(url: string, selector: string): Promise<Held> {
  const query = new URLSearchParams({ 'match[]': selector });
  const text = await (await fetch(`${url}/api/v1/export`, { method: 'POST', body: query })).text();
  const held = new Map<string, [number, number][]>();
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const { metric, values, timestamps } = JSON.parse(line);
    const all = held.get(keyOf(metric)) ?? [];
    timestamps.forEach((ms: number, at: number) => all.push([ms, values[at]]));
    held.set(
      keyOf(metric),
      all.sort(([a], [b]) => a - b),
    );
  }
  return held;
}

/** What is lost, doubled, changed or invented, at most twenty of it. */
export function differences(expected: Held, held: Held): string[] {
  const found: string[] = [];
  for (const key of new Set([...expected.keys(), ...held.keys()])) {
    const [want, got] = [new Map(expected.get(key)), held.get(key) ?? []];
    const seen = new Set<number>();
    for (const [ms, value] of got) {
      if (seen.has(ms)) found.push(`doubled: ${key} at ${ms}`);
      else if (!want.has(ms)) found.push(`invented: ${key} at ${ms}: ${value}`);
      else if (!Object.is(want.get(ms), value)) found.push(`changed: ${key} at ${ms}: ${want.get(ms)} is ${value}`);
      seen.add(ms);
    }
    for (const [ms, value] of want) if (!seen.has(ms)) found.push(`lost: ${key} at ${ms}: ${value}`);
  }
  return found.length > 20 ? [...found.slice(0, 20), `and ${found.length - 20} more`] : found;
}
