/** Long enough that the pieces' own cost is lost in it, short enough that writing one takes a few milliseconds. */
const pieceLength = 256 * 1024;

/** A list of numbers that is written in one go. */
const listLength = 8192;

/**
 * A value as JSON, in pieces of about 256 thousand characters.
 *
 * Joined, they are what `JSON.stringify` writes, to the byte. Between two pieces the caller may let others run: one
 * `JSON.stringify` of a fleet's readings would hold the process for seconds. Most of a large answer are objects of
 * numbers and lists of numbers; those are written natively, and only what lies above them is walked.
 */
export function* jsonPieces(value: unknown): Generator<string, undefined> {
  const writer: Writer = { text: '' };
  yield* write(writer, replaced(value, ''));
  if (writer.text !== '') yield taken(writer);
}

interface Writer {
  text: string;
}
type Keys = Readonly<Record<string, unknown>>;

function* write(writer: Writer, value: unknown): Generator<string, undefined> {
  if (!isObject(value) || isWrittenWhole(value)) writer.text += JSON.stringify(value) ?? 'null';
  else if (!Array.isArray(value)) yield* writeObject(writer, value);
  else if (holdsObjects(value)) yield* writeList(writer, value);
  else yield* writeLongList(writer, value);
  if (isFull(writer)) yield taken(writer);
}

function* writeObject(writer: Writer, value: Keys): Generator<string, undefined> {
  writer.text += '{';
  let separator = '';
  for (const key of Object.keys(value)) {
    const item = replaced(value[key], key);
    if (isLeftOut(item)) continue;
    writer.text += `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    yield* write(writer, item);
  }
  writer.text += '}';
}

function* writeList(writer: Writer, list: readonly unknown[]): Generator<string, undefined> {
  for (let i = 0; i < list.length; i += 1) {
    writer.text += i === 0 ? '[' : ',';
    yield* write(writer, replaced(list[i], String(i)));
  }
  writer.text += ']';
}

function* writeLongList(writer: Writer, list: readonly unknown[]): Generator<string, undefined> {
  for (let i = 0; i < list.length; i += listLength) {
    writer.text += i === 0 ? '[' : ',';
    writer.text += JSON.stringify(list.slice(i, i + listLength)).slice(1, -1);
    if (isFull(writer)) yield taken(writer);
  }
  writer.text += ']';
}

/** What holds no more than short lists of numbers or text. */
function isWrittenWhole(value: Keys): boolean {
  if (Array.isArray(value)) return isShortList(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  if (!isPlain) return true;
  for (const key in value) if (isObject(value[key]) && !isShortList(value[key])) return false;
  return true;
}

const isShortList = (value: unknown): boolean =>
  Array.isArray(value) && value.length <= listLength && !holdsObjects(value);
const holdsObjects = (list: readonly unknown[]): boolean =>
  isObject(list.find((item) => item !== null && item !== undefined));
const isObject = (value: unknown): value is Keys => typeof value === 'object' && value !== null;
const isLeftOut = (value: unknown): boolean =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol';

/** As JSON.stringify sees it: what says itself how it is written is asked. */
const replaced = (value: unknown, key: string): unknown =>
  isObject(value) && typeof value['toJSON'] === 'function' ? (value['toJSON'](key) as unknown) : value;

const isFull = (writer: Writer): boolean => writer.text.length >= pieceLength;

function taken(writer: Writer): string {
  const { text } = writer;
  writer.text = '';
  return text;
}
