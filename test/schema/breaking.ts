import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  BreakingChangeType,
  buildSchema,
  DangerousChangeType,
  findSchemaChanges,
  type SchemaChange,
  SafeChangeType,
} from 'graphql';

/** Clients go on as they did, and are answered something else: here that is no lesser fault than an answer that is refused. */
const silent: ReadonlySet<string> = new Set([
  DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  DangerousChangeType.INPUT_FIELD_DEFAULT_VALUE_CHANGE,
  SafeChangeType.ARG_DEFAULT_VALUE_ADDED,
  SafeChangeType.INPUT_FIELD_DEFAULT_VALUE_ADDED,
]);
const breaks = ({ type }: SchemaChange): boolean => type in BreakingChangeType || silent.has(type);

/** What a client of the released schema loses with the other one, each as one sentence. Both are SDL. */
export function breakingChanges(released: string, current: string): string[] {
  const changes = findSchemaChanges(buildSchema(released), buildSchema(current));
  return changes.filter(breaks).map(({ type, description }) => `${type}: ${description}`);
}

/**
 * Holds schema.graphql against the last released copy. `--release` makes it the released one, whatever it breaks;
 * `--against <file>` takes another copy.
 */
async function main(argv: readonly string[]): Promise<void> {
  const current = new URL('../../schema.graphql', import.meta.url);
  const at = argv.indexOf('--against');
  const copy = at < 0 ? new URL('released.graphql', import.meta.url) : resolve(argv[at + 1] ?? '');
  const [now, then] = await Promise.all([readFile(current, 'utf8'), readFile(copy, 'utf8')]);
  const lost = breakingChanges(then, now);
  for (const change of lost) console.error(change);
  if (argv.includes('--release')) {
    await writeFile(copy, now);
    console.log(
      `Released, with ${lost.length} breaking changes. Raise the version in package.json, and say in the release what clients must do.`,
    );
  } else if (lost.length > 0) {
    console.error(
      `These ${lost.length} changes break clients of the released schema. Keep what was there (deprecate it, and add the new beside it), or release on purpose: npm run schema:release.`,
    );
    process.exitCode = 1;
  }
}

if (import.meta.main) await main(process.argv.slice(2));
