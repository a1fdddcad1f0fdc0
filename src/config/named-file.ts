/** The text of a file. @throws as node:fs does */
export type ReadFile = (path: string) => string;

/** What is wrong with a file, in words for the person who wrote the configuration. */
export class WrongFile extends Error {}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a folder',
};

/** @throws WrongFile: it cannot be read */
export function textOf(file: string, read: ReadFile): string {
  try {
    return read(file).replace(/^\uFEFF/, '');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new WrongFile(`names a file that cannot be read: ${reasons[code] ?? code}`);
  }
}

/** What a text means as JSON; undefined where it is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
