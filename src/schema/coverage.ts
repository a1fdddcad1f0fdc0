import { MetricFamilyEnum } from './enums.ts';
import { CoverageRef } from './refs.ts';

CoverageRef.implement({
  description:
    'Which families of readings the store holds for a target in the window, whatever is selected. What the GPU maker structurally lacks is in neither list. Null only with an error.',
  fields: (t) => ({
    present: t.field({
      type: [MetricFamilyEnum],
      nullable: false,
      description: 'Families with at least one plausible reading; one whose inputs answered in part is among them.',
      resolve: ({ present }) => [...present],
    }),
    missing: t.field({
      type: [MetricFamilyEnum],
      nullable: false,
      description: 'Families that were looked for and held nothing. Silence is not health.',
      resolve: ({ missing }) => [...missing],
    }),
  }),
});
