import type { Delivery } from '../report/deliver.ts';
import { NotTaken, Undelivered } from '../report/undelivered.ts';
import type { Intake } from './intake.ts';
import type { Parcel } from './outbox.ts';
import type { Tally } from './tally.ts';

export interface Sending {
  readonly delivery: Delivery;
  readonly tally: Tally;
  readonly say: (line: string) => void;
}

/** Sends what is read until that has ended, or is stopped. */
export async function sendAll<Source>(intake: Intake<Source>, { delivery, tally, say }: Sending): Promise<void> {
  const { outbox, isKept } = intake;
  let said: string | null = null;
  const sayOnce = (line: string | null): void => {
    if (line !== null && line !== said) say(line);
    said = line ?? said;
  };
  for (let parcel = await outbox.take(); parcel !== null; parcel = await outbox.take()) {
    try {
      sayOnce(await send(parcel));
    } catch (error) {
      if (!(error instanceof Undelivered)) throw error;
      tally.delivered(error.delivered, parcel.lines);
      // What a pipe brings next may be taken, and can never be read again; a file waits for what is to be changed.
      if (error instanceof NotTaken) sayOnce(error.message);
      if (error instanceof NotTaken && !isKept) continue;
      return;
    }
    intake.onTaken(parcel);
  }

  async function send({ batch, lines }: Parcel<Source>): Promise<string | null> {
    if (batch.isEmpty) return null;
    const delivered = await delivery.send(batch.events);
    tally.delivered(delivered, lines);
    return delivered.note;
  }
}
