import type { Fate } from '../runs/batch.ts';
import { type ReportedRun, RunRejectedRef, RunReportRef, RunSkippedRef } from './refs.ts';
import { noteOfReport } from './run-report-note.ts';

const count = (fate: Fate, description: string) => ({
  nullable: false as const,
  description,
  resolve: ({ counts }: ReportedRun) => counts[fate],
});

RunReportRef.implement({
  description:
    'What became of the events of a report: its numbers, skipped and rejected among them, add up to all of them.',
  fields: (t) => ({
    written: t.int(
      count('written', 'Number of events that are new in the store, findings and annotations among them.'),
    ),
    repeated: t.int(count('repeated', 'Number of events that the store had already, with the same value.')),
    conflicting: t.int(
      count(
        'conflicting',
        'Number of events for which another value of that series and millisecond was there first, in the store or in this report; that one stands.',
      ),
    ),
    refused: t.int(
      count('refused', 'Number of events that the store does not take, mostly because they are too old for it.'),
    ),
    skipped: t.field({
      type: [RunSkippedRef],
      nullable: false,
      description: 'What was reported and is no event, like a summary, by kind.',
      resolve: ({ skipped }) => skipped,
    }),
    rejected: t.field({
      type: [RunRejectedRef],
      nullable: false,
      description: 'What should be an event and cannot be taken as one, with the reason.',
      resolve: ({ rejected }) => rejected,
    }),
    note: t.string({
      description: 'What was not written, and why, in words. Null where all of it is in the store.',
      resolve: noteOfReport,
    }),
  }),
});

RunSkippedRef.implement({
  description: 'Things of one kind that are no events.',
  fields: (t) => ({
    kind: t.exposeString('kind', { nullable: false, description: 'Their kind, at most 40 characters of it.' }),
    count: t.exposeInt('count', { nullable: false, description: 'The number of them.' }),
  }),
});

RunRejectedRef.implement({
  description: 'One thing that cannot be taken as an event.',
  fields: (t) => ({
    index: t.exposeInt('index', { nullable: false, description: 'Its index in the events of the report, from 0.' }),
    reason: t.exposeString('reason', { nullable: false, description: 'Why, and what of it is wrong.' }),
  }),
});
