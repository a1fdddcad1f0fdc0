import type { FieldNode } from 'graphql';
import type { Arguments, Place, Reading } from '../domain/work.ts';

interface Sum {
  times: number;
  readonly parts: Set<string>;
}

type Sums = ReadonlyMap<string, Sum>;

/** What is asked at one place, and how often: it is added up at the end, or a chain of fragments would add it up at each step. */
interface Counted extends Pick<Place, 'coordinate' | 'args'> {
  readonly asked: Map<Sums, number>;
}

/** What a part of a document adds up to. */
export class Tally {
  depth = 0;
  aliases = 0;
  /** Fields of this selection, those of its fragments among them. */
  selections = 0;
  /** The same with all that is below them. */
  written = 0;
  /** Fields of an answer. */
  fields = 0;
  /** Names of its fields. */
  readonly selected = new Set<string>();
  readonly asked = new Map<string, Sum>();
  readonly places = new Map<string, Counted>();

  /** A field with what is below it, which an answer has so many times. */
  addField({ name, alias }: FieldNode, below: Tally | null, items: number, isIncluded: boolean): void {
    this.depth = Math.max(this.depth, 1 + (below?.depth ?? 0));
    this.aliases += (alias ? 1 : 0) + (below?.aliases ?? 0);
    this.selections += 1;
    this.written += 1 + (below?.written ?? 0);
    if (!isIncluded) return;
    this.fields += 1 + (below?.fields ? items * below.fields : 0);
    this.selected.add(name.value);
  }

  /** Another selection in the same place. */
  addSelection(other: Tally, isIncluded: boolean): void {
    this.depth = Math.max(this.depth, other.depth);
    this.aliases += other.aliases;
    this.selections += other.selections;
    this.written += other.written;
    if (!isIncluded) return;
    this.fields += other.fields;
    for (const name of other.selected) this.selected.add(name);
    this.ask(other.asked, 1);
    this.addPlaces(other);
  }

  ask(asked: Sums, times: number): void {
    if (times > 0) for (const [as, sum] of asked) addTo(this.asked, as, times * sum.times, sum.parts);
  }

  read({ as, times = 1, parts = [] }: Reading): void {
    if (times > 0) addTo(this.asked, as, times, parts);
  }

  addPlaces({ places }: Tally): void {
    for (const [key, { coordinate, args, asked }] of places) {
      const own = this.#place(key, coordinate, args).asked;
      for (const [each, count] of asked) own.set(each, (own.get(each) ?? 0) + count);
    }
  }

  addPlace(coordinate: string, args: Arguments, asked: Sums): void {
    this.#place(JSON.stringify([coordinate, args]), coordinate, args).asked.set(asked, 1);
  }

  #place(key: string, coordinate: string, args: Arguments): Counted {
    const held = this.places.get(key) ?? { coordinate, args, asked: new Map<Sums, number>() };
    this.places.set(key, held);
    return held;
  }

  /** Each place with all that is asked there. */
  placesAsked(): Place[] {
    return [...this.places.values()].map(({ coordinate, args, asked }) => {
      const whole = new Map<string, Sum>();
      for (const [sums, count] of asked) {
        for (const [as, { times, parts }] of sums) addTo(whole, as, count * times, parts);
      }
      return { coordinate, args, asked: whole };
    });
  }
}

function addTo(asked: Map<string, Sum>, as: string, times: number, parts: Iterable<string>): void {
  const held = asked.get(as);
  if (!held) return void asked.set(as, { times, parts: new Set(parts) });
  held.times += times;
  for (const part of parts) held.parts.add(part);
}
