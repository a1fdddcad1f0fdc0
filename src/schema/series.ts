import { SeriesRef } from './refs.ts';

const figure = (what: string) =>
  `${what}, over the raw samples of the window, in the reading's unit; it does not depend on points. Never null in a series that is there.`;

SeriesRef.implement({
  description:
    'One reading over the window. The series is null whole where the store holds no sample of it; a null is never a zero.',
  fields: (t) => ({
    t0: t.float({
      nullable: false,
      description: "Epoch seconds of the first bucket's left edge. Bucket i covers (t0 + i*stepS, t0 + (i+1)*stepS].",
      resolve: ({ t0 }) => t0,
    }),
    stepS: t.exposeInt('stepS', { nullable: false, description: 'Width of a bucket in seconds.' }),
    values: t.field({
      type: 'Samples',
      description: "The mean of each bucket's samples; null where a bucket has none.",
      resolve: ({ values }) => values,
    }),
    mean: t.float({ description: figure('Mean'), resolve: ({ mean }) => mean }),
    min: t.float({ description: figure('Lowest sample'), resolve: ({ min }) => min }),
    max: t.float({ description: figure('Highest sample'), resolve: ({ max }) => max }),
    last: t.float({ description: figure('Newest sample'), resolve: ({ last }) => last }),
    lastAt: t.field({
      type: 'DateTime',
      description: 'When the newest sample was taken. Never null in a series that is there.',
      resolve: ({ lastAt }) => (lastAt === undefined ? null : Math.floor(lastAt)),
    }),
  }),
});
