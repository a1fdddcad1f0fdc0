import { type Resume, resumes } from '../samples/resumes.ts';
import { empty } from '../samples/stream.ts';
import type { RunInWindow } from './refs.ts';

/** Where a run's training went back inside the window. */
export async function resumesOf({ of, name }: RunInWindow): Promise<readonly Resume[]> {
  const [events, stepTimes] = await Promise.all([of.load.runs.events(name), of.load.runs.stepTimes(name)]);
  return events ? resumes(events.steps, stepTimes ?? empty) : [];
}
