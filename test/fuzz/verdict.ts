import { ask, type Both, type Outcome } from './ask.ts';
import { type Pair, tokens } from './pair.ts';
import { sameBoth, sameOutcome } from './same.ts';
import { askStraight, differsFrom } from './straight.ts';
import { foreignNumber, MARK } from './tenants.ts';

/** What became of one expression. */
export interface Verdict {
  /** What must not be: the property is broken. */
  readonly finding?: string;
  readonly accepted: boolean;
  /** It came back with series, or with a number. */
  readonly told: boolean;
  /** The two differed, but one of them differs from itself as well. */
  readonly unsteady: boolean;
  /** Answered by the gateway though the store refuses the text as it stands. */
  readonly lenient: boolean;
  /** The store did not survive the text as it stands, asked straight: a query that the gateway has made harmless. */
  readonly ownFault: boolean;
}

/** How a query may be refused. Anything else is a fault of the gateway's or the end of a store. */
const refusals = new Set(['BAD_REQUEST', 'QUERY_TOO_LARGE']);
/** How often both are asked again before a difference is believed: an `or on ()` of VictoriaMetrics 1.79 has a hundred answers. */
const TRIES = 100;

/**
 * Non-interference: with the data of others in the store or without, the same answer comes, data or refusal; and then it
 * is the answer that the store itself gives to the same text where there is nobody else.
 *
 * A difference is believed when, of several answers over either store, no two agree. An engine that adds up in several
 * threads can round either way, and picks either of two equals; then it does so over both stores, and two answers agree
 * sooner or later. What comes from others is there in every answer over the one store and in none over the other. The two
 * looks below for names and numbers of others make no such allowance.
 */
export async function judge(pair: Pair, query: string): Promise<Verdict> {
  const [shared, alone] = await askBoth(pair, query);
  const { instant, range } = alone;
  const accepted = instant.answered !== null || range.answered !== null;
  const told = [instant, range].some(
    ({ answered }) => answered && (answered.seriesTotal > 0 || answered.value !== null),
  );
  const verdict = { accepted, told, unsteady: false, lenient: false, ownFault: false };
  const found = brokenIn(shared) ?? brokenIn(alone) ?? foreignIn(shared, alone, query);
  if (found !== undefined) return { ...verdict, finding: found };
  let unsteady = false;
  if (!sameBoth(shared, alone)) {
    const difference = await steadyDifference(pair, query, shared, alone);
    if (difference !== undefined) return { ...verdict, finding: difference };
    unsteady = true;
    if (process.env['SHOW']) console.log('UNSTEADY', JSON.stringify(query), short(shared), short(alone));
  }
  const { finding, lenient, ownFault } = await changed(pair, query, alone);
  return { ...verdict, unsteady, lenient, ownFault, ...(finding === undefined ? {} : { finding }) };
}

/** The neighbour asks the same at the same time: what is under way or kept for one must not answer the other. */
async function askBoth({ shared, alone }: Pair, query: string): Promise<[Both, Both]> {
  const [beside, without] = await Promise.all([
    ask(shared.gateway, query, tokens.acme),
    ask(alone.gateway, query, tokens.acme),
    ask(shared.gateway, query, tokens.borealis),
  ]);
  return [beside, without];
}

const fields = ['instant', 'range'] as const;
const outcomes = ({ instant, range }: Both): readonly Outcome[] => [instant, range];

function brokenIn(both: Both): string | undefined {
  for (const { answered, refused } of outcomes(both)) {
    if (refused === null && answered === null) return 'neither an answer nor a refusal';
    if (refused !== null && !refusals.has(refused.code)) return `${refused.code}: ${refused.message}`;
  }
  return undefined;
}

const marksIn = (text: string): Set<string> => new Set(text.match(new RegExp(`[\\w.-]*${MARK}[\\w.-]*`, 'gi')) ?? []);

const numbersIn = (both: Both): number[] =>
  outcomes(both)
    .flatMap(({ answered }) => [
      answered?.value,
      ...(answered?.series ?? []).flatMap((one) => [one.value, ...(one.values ?? [])]),
    ])
    .filter((value) => typeof value === 'number' && foreignNumber(value)) as number[];

/** Names and numbers of others in an answer. Those of the query itself come over the other store too. */
function foreignIn(shared: Both, alone: Both, query: string): string | undefined {
  const known = marksIn(alone.body);
  const marks = [...marksIn(shared.body)].filter((mark) => !known.has(mark) && !query.includes(mark));
  if (marks.length > 0) return `names of others: ${marks.slice(0, 3).join(', ')}`;
  const numbers = numbersIn(shared);
  if (numbers.length > 0 && numbersIn(alone).length === 0)
    return `numbers of others: ${numbers.slice(0, 3).join(', ')}`;
  return undefined;
}

async function steadyDifference(pair: Pair, query: string, shared: Both, alone: Both): Promise<string | undefined> {
  const open = new Set(fields.filter((field) => !sameOutcome(shared[field], alone[field])));
  const beside = [shared];
  const without = [alone];
  for (let at = 0; at < TRIES && open.size > 0; at++) {
    const [more, less] = await askBoth(pair, query);
    beside.push(more);
    without.push(less);
    for (const field of open) {
      const agrees = beside.some((one) => without.some((other) => sameOutcome(one[field], other[field])));
      if (agrees) open.delete(field);
    }
  }
  if (open.size === 0) return undefined;
  return `another answer (${[...open].join(', ')}) beside others:\n  beside: ${short(shared)}\n  alone:  ${short(alone)}`;
}

const short = (both: Both): string => (both.body.length > 1500 ? `${both.body.slice(0, 1500)}…` : both.body);

/**
 * What VictoriaMetrics reads otherwise than Prometheus, so that its answer to the text as it stands is no measure: escapes
 * of characters in names, and `1h-30m`, which is one duration to it. What it is sent is spelled without either.
 */
const misread = ({ engine }: Pair, query: string): boolean =>
  engine.startsWith('victoria-metrics') && /\\[0-7xuU]|\d[smhdwy]-\d/.test(query);

async function changed(
  pair: Pair,
  query: string,
  alone: Both,
): Promise<Pick<Verdict, 'finding' | 'lenient' | 'ownFault'>> {
  if (misread(pair, query)) return { lenient: false, ownFault: false };
  let lenient = false;
  for (const how of fields) {
    let answered = alone[how].answered;
    if (answered === null) continue;
    let difference: string | undefined;
    for (let at = 0; at <= TRIES; at++) {
      const straight = await askStraight(pair.alone.store.url, query, how).catch(() => null);
      if (straight === null) return { lenient, ownFault: true };
      // What is written of a selector that matches everything, the store cannot refuse once it is confined.
      if ('refused' in straight) {
        lenient = true;
        difference = undefined;
        break;
      }
      difference = differsFrom(straight, answered!);
      if (difference === undefined) break;
      answered = (await ask(pair.alone.gateway, query, tokens.acme))[how].answered ?? answered;
    }
    if (difference !== undefined)
      return {
        lenient,
        ownFault: false,
        finding: `not what the store answers (${how}): ${difference}\n  gateway: ${short(alone)}`,
      };
  }
  return { lenient, ownFault: false };
}
