import type { Readable } from 'node:stream';
import { createDelivery } from '../report/deliver.ts';
import type { Destination } from '../report/destination.ts';
import { openFile } from './from-file.ts';
import { openPipe } from './from-pipe.ts';
import type { Intake } from './intake.ts';
import { sendAll } from './send-all.ts';
import { placeOf } from './state.ts';
import { pollStatus } from './status-poller.ts';
import { Tally } from './tally.ts';

/** Where events come from: what another program writes to this one, or a file. */
export type Source =
  { readonly stream: Readable } | { readonly path: string; readonly follows: boolean; readonly statePath: string };

export interface ForwardSettings {
  readonly destination: Destination;
  readonly source: Source;
  readonly statusPath?: string;
  /** One line for the person who started it. */
  readonly say: (line: string) => void;
  /** Somebody wants it to end. */
  readonly stop: AbortSignal;
  /** How long the end waits for what is queued. */
  readonly endMs?: number;
}

const usualEndMs = 30_000;

/**
 * Forwards the events of one run until they end.
 *
 * @returns whether all of them were taken
 * @throws  CannotForward, WrongDestination
 */
export async function forward(settings: ForwardSettings): Promise<boolean> {
  const { destination, source, say, stop } = settings;
  const tally = new Tally('path' in source);
  const over = new AbortController();
  if ('stream' in source) {
    const intake = openPipe({ ...source, tally, say, signal: stop });
    return forwardFrom(intake, tally, over, settings);
  }
  const signal = AbortSignal.any([stop, over.signal]);
  const intake = openFile({ ...source, destination: placeOf(destination), tally, say, signal });
  return forwardFrom(intake, tally, over, settings);
}

async function forwardFrom<From>(
  intake: Intake<From>,
  tally: Tally,
  over: AbortController,
  { destination, statusPath: path, say, endMs = usualEndMs }: ForwardSettings,
): Promise<boolean> {
  const late = new AbortController();
  const delivery = createDelivery(destination, { say, signal: late.signal });
  const polled = path === undefined ? undefined : pollStatus({ path, delivery, say, signal: over.signal });
  const read = intake.readAll().finally(() => {
    over.abort();
    setTimeout(() => late.abort(), endMs).unref();
  });
  const sent = sendAll(intake, { delivery, tally, say }).finally(() => {
    over.abort();
    intake.outbox.end();
  });
  // What was read before reading failed is sent all the same.
  await Promise.allSettled([read, sent]);
  await intake.settled();
  await polled;
  say(`${tally}.`);
  await Promise.all([read, sent]);
  return tally.isWhole;
}
