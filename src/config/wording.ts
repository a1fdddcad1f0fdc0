import { z } from 'zod';
import type { Fault } from './fault.ts';
import { suggestion } from './nearest.ts';

/** A strict object: a misspelt key is a fault that names the nearest one, not a silent default. */
export function section<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => `"${key}" is no setting here${suggestion(key, known)}`).join('. ')
        : undefined,
  });
}

/** One of a few words, in any case; `spelled` is how the rest of the project writes them. */
export function word<const Word extends string>(spelled: readonly Word[]): z.ZodType<Word> {
  const canonical = (value: unknown): unknown =>
    typeof value === 'string' ? (spelled.find((known) => known.toLowerCase() === value.toLowerCase()) ?? value) : value;
  return z.preprocess(canonical, z.enum(spelled as readonly [Word, ...Word[]]));
}

/** What zod found, in words that say what would be right. Values are never repeated: they may be secrets. */
export const wording: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = kinds[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `is missing; give ${kind}` : `must be ${kind}`;
    }
    case 'invalid_value':
      return issue.input === undefined
        ? `is missing; give one of ${issue.values.join(', ')}`
        : `must be one of ${issue.values.join(', ')}`;
    case 'too_small':
      if (issue.origin === 'array') return `must name at least ${issue.minimum}`;
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`;
    case 'too_big':
      return issue.origin === 'array' ? `must name at most ${issue.maximum}` : `must be at most ${issue.maximum}`;
    case 'invalid_key':
      return `is a key that ${issue.issues[0]?.message ?? 'cannot be'}`;
    case 'invalid_format':
      return 'does not have the form that is needed here';
    default:
      return undefined;
  }
};

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list of two numbers',
  object: 'a section with keys',
  record: 'a section with keys',
};

export const faultsOf = (error: z.ZodError): Fault[] => error.issues.map(({ path, message }) => ({ path, message }));
