/** What can become of an event that did not arrive, in the words of the last line. */
export const losses = {
  queue_full: 'came while the queue was full',
  time_up: 'were still queued when the time was up',
  unconfirmed: 'were under way when the time was up: they may have arrived or not',
  not_taken: 'the gateway did not take',
  conflicting: 'have another value in the store, for the same series and millisecond',
  refused: 'are older, or further ahead, than the store takes',
  rejected: 'were no events to the gateway',
  not_written: 'could not be written',
} as const satisfies Record<string, string>;

export type Loss = keyof typeof losses;

/** What became of the events so far: `events` = `delivered` + what was lost + what is still on its way. */
export class Tally {
  events = 0;
  delivered = 0;
  readonly lostTo: Partial<Record<Loss, number>> = {};

  lose(to: Loss, count: number): void {
    if (count > 0) this.lostTo[to] = (this.lostTo[to] ?? 0) + count;
  }

  get lost(): number {
    return Object.values(this.lostTo).reduce((sum, count) => sum + count, 0);
  }

  /** What was lost and why, in one sentence; null where nothing was. */
  get words(): string | null {
    if (this.lost === 0) return null;
    const reasons = Object.entries(this.lostTo).map(([to, count]) => `${count} ${losses[to as Loss]}`);
    return `${this.lost} of ${this.events} events were lost: ${reasons.join('; ')}.`;
  }
}
