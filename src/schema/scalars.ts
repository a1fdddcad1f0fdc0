import { Refusal } from '../errors.ts';
import { formatInstant, parseInstant } from '../window/instant.ts';
import { builder } from './builder.ts';

builder.scalarType('DateTime', {
  description:
    'A moment, RFC 3339. Printed in UTC with Z and whole seconds, like 2026-09-21T12:00:00Z. Read with Z or a numeric offset, never without a zone; fractions of a second are cut.',
  serialize: formatInstant,
  parseValue: (value) => {
    if (typeof value === 'string') return parseInstant(value);
    throw new Refusal('BAD_REQUEST', `A DateTime is text like "2026-09-21T12:00:00Z", not ${JSON.stringify(value)}.`);
  },
});

builder.scalarType('Samples', {
  description:
    "A JSON array of numbers in the reading's unit, one a bucket, oldest first; null where the store held no reading. Carried whole.",
  serialize: (values) => values,
  parseValue: () => {
    throw new Refusal('BAD_REQUEST', 'Samples are answers, not arguments.');
  },
});

builder.scalarType('Count', {
  description: "A whole number from 0 to 2^53 - 1. GraphQL's Int stops at 2^31 - 1.",
  serialize: (value) => {
    if (Number.isSafeInteger(value) && value >= 0) return value;
    throw new TypeError(`${value} is no count`);
  },
  parseValue: () => {
    throw new Refusal('BAD_REQUEST', 'A Count is an answer, not an argument.');
  },
});

builder.scalarType('LabelSet', {
  description: 'A JSON object: label names and their values, all text. Carried whole.',
  serialize: (labels) => labels,
  parseValue: () => {
    throw new Refusal('BAD_REQUEST', 'A LabelSet is an answer, not an argument.');
  },
});

builder.scalarType('RunEvent', {
  description:
    'One event of a training run, a JSON object as a run reports it: kind ("metric" or "annotation"), ts_ms (when, milliseconds since 1970), step, name, value and metadata.',
  // What is none is told with its place in the list, and keeps no other from being taken.
  parseValue: (event) => event,
  serialize: () => {
    throw new TypeError('A RunEvent is an argument, not an answer.');
  },
});

builder.scalarType('JSON', {
  description: 'Any JSON value, carried whole.',
  parseValue: (value) => value,
  serialize: (value) => value,
});
