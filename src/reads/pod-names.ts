import type { Matcher } from '../domain/matcher.ts';
import type { Pod } from '../identity/kube-pods.ts';
import { oneOf, oneOfOrBegins } from '../scope/scope.ts';

// A query says them several times over, and VictoriaMetrics takes no longer one than 16 KiB.
const charactersAtMost = 1200;
const charactersOfOne = 300;
const shortestPrefix = 3;
// Above this a name list costs the store more than the series that it leaves out.
const namesPerRequest = 500;

/**
 * Matchers that reach these pods, and maybe others whose names begin alike; one list for each way in which their series
 * name a pod. Their number does not grow with the pods, nor does their length.
 *
 * @param workloads  the pods of each
 */
export function podMatchers(workloads: readonly (readonly Pod[])[]): Matcher[][] {
  return [false, true].flatMap((aside) => {
    const alike = workloads.map((pods) => pods.filter((pod) => pod.aside === aside)).filter((pods) => pods.length > 0);
    return alike.length > 0 ? [matchersOf(alike, aside ? 'exported_' : '')] : [];
  });
}

function matchersOf(workloads: readonly (readonly Pod[])[], before: string): Matcher[] {
  const namespaces = new Set(workloads.flat().map(({ namespace }) => namespace));
  const inThem = oneOf(`${before}namespace`, namespaces);
  return [
    ...(inThem.value.length <= charactersAtMost ? [inThem] : []),
    called(`${before}pod`, workloads) ?? { label: `${before}pod`, op: '!=', value: '' },
  ];
}

/** By their names, or by what the names of a workload's many pods begin with; null where that is too much. */
function called(label: string, workloads: readonly (readonly Pod[])[]): Matcher | null {
  const [names, prefixes] = [new Set<string>(), new Set<string>()];
  for (const pods of workloads) {
    const own = [...new Set(pods.map(({ name }) => name))];
    const prefix = own.join('|').length > charactersOfOne && own.length > 1 ? commonPrefix(own) : '';
    if (prefix.length >= shortestPrefix) prefixes.add(prefix);
    else for (const name of own) names.add(name);
  }
  const matcher = oneOfOrBegins(label, names, prefixes);
  return matcher.value.length <= charactersAtMost ? matcher : null;
}

/** A label that names one of these; of very many, what they all begin with. */
export function namedLike(label: string, names: ReadonlySet<string>): Matcher {
  return names.size <= namesPerRequest ? oneOf(label, names) : oneOfOrBegins(label, [], [commonPrefix([...names])]);
}

function commonPrefix(names: readonly string[]): string {
  const sorted = [...names].sort();
  const [first, last] = [sorted[0] ?? '', sorted.at(-1) ?? ''];
  let length = 0;
  while (length < first.length && first[length] === last[length]) length += 1;
  return first.slice(0, length);
}
