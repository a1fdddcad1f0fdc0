import { builder } from './builder.ts';
import { WindowRangeEnum } from './enums.ts';
import { WindowRef } from './refs.ts';

export const WindowInput = builder.inputType('WindowInput', {
  description:
    'Which stretch of time the readings below cover, at most 14 days. Give range for a window that ends now, or start and end.',
  fields: (t) => ({
    range: t.field({
      type: WindowRangeEnum,
      defaultValue: 'LAST_6H',
      description: 'A window that ends now; ignored when start is given.',
    }),
    start: t.field({ type: 'DateTime', description: 'Where the window begins; this moment itself lies outside.' }),
    end: t.field({
      type: 'DateTime',
      description: 'Where it ends, included; now when left out. Refused without start.',
    }),
    points: t.int({ defaultValue: 48, description: 'How many buckets a series is cut into, 1 to 96.' }),
  }),
});

WindowRef.implement({
  description: 'A window as resolved: samples later than start, up to and including end.',
  fields: (t) => ({
    start: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'Where it begins.',
      resolve: ({ start }) => start,
    }),
    end: t.field({ type: 'DateTime', nullable: false, description: 'Where it ends.', resolve: ({ end }) => end }),
    stepS: t.exposeInt('stepS', { nullable: false, description: 'Width of a bucket in seconds, a multiple of 30.' }),
    points: t.exposeInt('points', { nullable: false, description: 'Number of buckets of every series.' }),
  }),
});
