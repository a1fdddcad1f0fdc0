import { existsSync } from 'node:fs';
import { type Position, LineReader, start } from '../runs/lines.ts';
import { findFile } from './find-file.ts';
import { CannotForward } from './failure.ts';
import { follow, type Stream, waitForFile } from './follow.ts';
import type { OpenFile } from './open-file.ts';
import { Outbox, type Parcel } from './outbox.ts';
import type { Intake } from './intake.ts';
import { readState, type State, StateFile } from './state.ts';
import type { Tally } from './tally.ts';

/** Enough to read ahead while a gateway answers. */
const mostWaiting = 1_048_576;

export interface FileSettings {
  readonly path: string;
  readonly follows: boolean;
  readonly statePath: string;
  readonly destination: State['destination'];
  readonly tally: Tally;
  readonly say: (line: string) => void;
  /** Ends the reading. */
  readonly signal: AbortSignal;
}

/**
 * A file, from where it was left.
 *
 * @throws CannotForward
 */
export function openFile(settings: FileSettings): Intake<Stream> {
  const { path, follows, statePath, destination, tally, say, signal } = settings;
  const before = readState(statePath, destination);
  if (!follows && !existsSync(path))
    throw new CannotForward(`--file ${path}: there is no such file; --follow waits for it.`);
  const outbox = new Outbox<Stream>(mostWaiting);
  const states = new StateFile(statePath, say);

  async function readAll(): Promise<void> {
    try {
      const opened = await open();
      if (opened !== null) await readFrom(opened.file, opened.from);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw code === undefined ? error : new CannotForward(`--file ${path}: ${message}`, { cause: error });
    } finally {
      outbox.end();
    }
  }

  async function open(): Promise<{ file: OpenFile; from: Position } | null> {
    const left = before && findFile(path, before);
    if (left) {
      say(`Going on behind line ${before.line} of ${path}: what comes before is taken, as ${statePath} has it.`);
      return { file: left, from: { offset: before.offset, line: before.line } };
    }
    if (before)
      say(
        `What was read of ${path} up to byte ${before.offset} is no longer there, nor a copy beside it; what came after it is not forwarded.`,
      );
    if (!existsSync(path)) say(`There is no ${path} yet; waiting for it.`);
    const file = await waitForFile(path, settings);
    return file && { file, from: start };
  }

  async function readFrom(file: OpenFile, from: Position): Promise<void> {
    let stream: Stream | null = null;
    let reader = new LineReader(from);
    for await (const piece of follow(path, file, from.offset, settings)) {
      if (piece.stream !== stream) {
        if (stream !== null) reader = new LineReader();
        stream = piece.stream;
        outbox.begin(stream, reader.position);
      }
      for (const line of reader.read(piece.bytes)) {
        tally.read(line);
        outbox.add(line);
      }
      if (piece.isOver) endOf(reader);
      else outbox.readTo(reader.position);
      await outbox.room();
      if (signal.aborted) return;
    }
  }

  /** A last line without its end. */
  function endOf(reader: LineReader): void {
    const last = reader.end();
    if (last !== null) {
      tally.read(last);
      outbox.add(last);
    }
    outbox.readTo(reader.position);
    if (!reader.isCut) return;
    const number = reader.position.line + 1;
    if (follows) tally.bad(number, 'its end never came');
    else say(`Line ${number} of ${path} has no end yet; it is left for the next time.`);
  }

  /** Remembers that all of it is taken. */
  function onTaken({ source, upTo }: Parcel<Stream>): void {
    if (upTo.offset === 0) return;
    states.save({ destination, file: source.file.markAt(upTo.offset), ...upTo });
  }

  return { outbox, readAll, isKept: true, onTaken, settled: () => states.settled() };
}
