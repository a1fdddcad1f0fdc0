import type { ClusterSite } from '../domain/site.ts';
import { Refusal } from '../errors.ts';
import type { Inventory } from '../reads/inventory.ts';
import type { ClusterInWindow, Operation } from './operation.ts';
import { inventoryOf } from './reference.ts';

/** The longest window of live readings, in minutes. */
const mostMinutes = 60;

/** A cluster in this moment. All who listen read it through the same loaders, so what they ask alike is asked once. */
export interface ReadingsLook {
  readonly operation: Operation;
  readonly of: ClusterInWindow;
  readonly inventory: Inventory;
}

/** @throws Refusal BAD_REQUEST */
export function checkMinutes(minutes: number): void {
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= mostMinutes) return;
  throw new Refusal('BAD_REQUEST', `minutes is ${minutes}; ask for 1 to ${mostMinutes}.`);
}

/** The window of live readings: it ends with the newest samples. */
export function liveWindow(minutes: number, now: number, lagS: number) {
  const end = Math.floor(now - lagS);
  return { start: end - minutes * 60, end, points: Math.min(minutes, 48) };
}

/** @throws Refusal where the store does not tell which nodes there are */
export async function lookAtReadings(operation: Operation, site: ClusterSite, minutes: number): Promise<ReadingsLook> {
  const lagS = operation.gateway.islands.get(site.island)?.ingestLagS ?? 0;
  const of = operation.cluster(site, liveWindow(minutes, operation.now, lagS));
  return { operation, of, inventory: await inventoryOf(of, operation) };
}
