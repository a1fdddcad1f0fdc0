import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import { flagKinds, hostResources, severities } from '../domain/fleet.ts';
import { Refusal } from '../errors.ts';
import type { Known } from './known.ts';

/** The first part of a cursor; a gateway that does not know the form says so. */
const version = 1;
/** Of the cursor unpacked: tens of thousands of flags. */
const mostBytes = 4 * 1024 * 1024;

const Text = z.string().max(1000);
const Content = z.tuple([
  z.literal(version),
  /** Which question it belongs to. */
  Text,
  z.number().nullable(),
  z.number().nullable(),
  z.array(
    z.tuple([
      Text,
      z.enum(flagKinds),
      Text,
      z.int().nullable(),
      z.enum(hostResources).nullable(),
      z.enum(severities),
      z.enum(['burning', 'silent', 'over']),
    ]),
  ),
]);

/** Tells cursors of one question from those of another, and shows neither. */
export const questionMark = (question: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);

/**
 * What a subscriber knows, as text that it can come back with, to this gateway or another: everything is in it, and nothing
 * is kept here. About 30 characters for each flag that burns.
 */
export function cursorOf({ at, seen, flags }: Known, mark: string): string {
  const content: z.infer<typeof Content> = [
    version,
    mark,
    at,
    seen,
    [...flags].map(
      ([
        key,
        {
          subject: { kind, node, gpu, resource },
          severity,
          state,
        },
      ]) => [key, kind, node, gpu, resource, severity, state],
    ),
  ];
  return deflateRawSync(JSON.stringify(content), { level: 1 }).toString('base64url');
}

/** @throws Refusal BAD_REQUEST: no cursor, or one of another question */
export function knownAfter(cursor: string, mark: string): Known {
  const parsed = Content.safeParse(unpacked(cursor));
  if (!parsed.success) throw wrong('after is no cursor of flagChanges; give the cursor of an event as it came.');
  const [, own, at, seen, flags] = parsed.data;
  if (own !== mark) {
    throw wrong(
      'after is a cursor of another question; subscribe with the arguments that it came from, or without after.',
    );
  }
  return {
    at,
    seen,
    flags: new Map(
      flags.map(([key, kind, node, gpu, resource, severity, state]) => [
        key,
        { subject: { kind, node, gpu, resource }, severity, state },
      ]),
    ),
  };
}

function unpacked(cursor: string): unknown {
  try {
    return JSON.parse(inflateRawSync(Buffer.from(cursor, 'base64url'), { maxOutputLength: mostBytes }).toString());
  } catch {
    return null;
  }
}

const wrong = (message: string): Refusal => new Refusal('BAD_REQUEST', message);
