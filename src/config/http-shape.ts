import { z } from 'zod';
import { section } from './wording.ts';

const Origin = z.string().superRefine((text, context) => {
  const fault = (message: string) => context.addIssue({ code: 'custom', message });
  if (text.includes('*')) return fault('lets pages ask that nobody has thought of; name each origin in full');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text) {
    fault('must be an origin as browsers send it, like https://grafana.example: in small letters, without a path');
  }
});

/** What browsers may do here. */
export const Http = section({
  graphiql: z.boolean().optional(),
  introspection: z.boolean().default(true),
  corsOrigins: z.array(Origin).default([]),
}).prefault({});
