import { CheckEnum } from './enums.ts';
import { HealthEpisodeRef } from './refs.ts';

HealthEpisodeRef.implement({
  description:
    "A condition that the site's own alerting recorded for a node, with its true bounds, also outside the window.",
  fields: (t) => ({
    kind: t.field({
      type: CheckEnum,
      nullable: false,
      description: 'What it is about.',
      resolve: ({ check }) => check,
    }),
    gpu: t.int({ description: "The GPU's index; null where the alert names none.", resolve: ({ gpu }) => gpu }),
    started: t.field({
      type: 'DateTime',
      nullable: false,
      description: 'When the condition began.',
      resolve: ({ started }) => started,
    }),
    ended: t.field({
      type: 'DateTime',
      description: 'When the alert last fired; null while it is open now.',
      resolve: ({ ended }) => ended,
    }),
    detail: t.string({
      description: "The alert's name, and its severity where it has one. Never null.",
      resolve: ({ detail }) => detail,
    }),
  }),
});
