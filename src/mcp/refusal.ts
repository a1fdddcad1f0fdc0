import { errorCodes } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { GraphError } from './ask.ts';

/** What keeps a tool from answering; the message says what to change. */
export class ToolRefusal extends Error {
  /** `bad-request`, `not-found`, … */
  readonly code: string;
  /** The HTTP status that it means. */
  readonly status: number;
  /** What a program needs besides, keys in snake_case. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'ToolRefusal';
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** As a caller reads it. */
  toJSON(): object {
    return { code: this.code, status: this.status, message: this.message, ...this.details };
  }
}

/** A refusal of the tool's own, in the words of the graph's codes. */
export const refuse = (code: ErrorCode, message: string): ToolRefusal =>
  new ToolRefusal(codeOf(code), errorCodes[code].status, message);

/** What the graph refused, as the tool says it. */
export function refusalOf({ message, extensions: { code, status, ...details } }: GraphError): ToolRefusal {
  return new ToolRefusal(
    codeOf(code),
    status,
    inArguments(message),
    Object.fromEntries(Object.entries(details).map(([key, value]) => [snake(key), value])),
  );
}

/** The tool's caller knows of no variables and scalars: `start: "2026-05-31" is not a time; …` */
const inArguments = (message: string): string =>
  message
    .replace(/^Variable "\$\w+" has invalid value(?: at \.([.\w]+))?: /, (_, at?: string) => (at ? `${at}: ` : ''))
    .replace(/Expected value of type "\w+", but encountered error "(.*)"; found: .*$/s, '$1');

export const codeOf = (code: string): string => code.toLowerCase().replaceAll('_', '-');

/** `retryAfterS` → `retry_after_s` */
export const snake = (name: string): string =>
  name.replace(/(?<=[a-z\d])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
