/** One thing that is wrong in a configuration: where, and what would be right. Never holds a value that could be secret. */
export interface Fault {
  /** Keys and list positions from the top. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** More than a person mends in one go, and less than scrolls the first away. */
const listed = 20;

/** Every fault of one configuration, in the order of its text; the message lists the first ones. */
export class WrongConfiguration extends Error {
  readonly code = 'WRONG_CONFIGURATION';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[], source = 'gpuql.yaml') {
    const lines = faults.slice(0, listed).map(({ path, message }) => `  ${spell(path)}: ${message}`);
    if (faults.length > listed) lines.push(`  and ${faults.length - listed} more`);
    super(`${source} is wrong:\n${lines.join('\n')}`);
    this.name = 'WrongConfiguration';
    this.faults = faults;
  }
}

/** `islands[0].prometheus.url` */
export function spell(path: readonly PropertyKey[]): string {
  const text = path
    .map((key) => {
      if (typeof key === 'number') return `[${key}]`;
      return /^[\w-]+$/.test(String(key)) ? `.${String(key)}` : `["${String(key)}"]`;
    })
    .join('');
  return text === '' ? 'the file' : text.replace(/^\./, '');
}
