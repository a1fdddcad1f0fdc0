import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { Refusal } from '../errors.ts';
import type { StoreRequest } from './request.ts';
import { StoreFault } from './store-fault.ts';

/** Takes the body of one answer, chunk by chunk, as it arrives. */
export interface BodySink {
  push(chunk: Buffer): void;
}

export interface Exchange {
  /** With a form as a question has it, or bytes; the headers then say what they are. */
  readonly request: Omit<StoreRequest, 'form'> & { readonly form: string | Uint8Array };
  /** The path of the store's base address, without a trailing slash. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the exchange at once, also while it waits for a connection. */
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly onAnswer: (status: number, headers: IncomingHttpHeaders) => BodySink;
}

/** The connection was refused or lost before a byte of an answer came: the same request may be sent once more. */
export class NoAnswer extends StoreFault {}

/** What a lost connection looks like. Not here: every kind of timeout, and answers that are not HTTP. */
const lost = new Set([
  'UND_ERR_SOCKET',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * One request and the whole of its answer, read as it comes: undici's dispatch, because a stream between the socket and
 * the scanner costs more than the scanner.
 *
 * @throws NoAnswer, StoreFault, the signal's reason, or what the sink threw
 */
export function exchange(dispatcher: Dispatcher, options: Exchange): Promise<void> {
  const { request, prefix, signal, onSent, onAnswer } = options;
  const path = `${prefix}${request.path}`;
  const post = request.method === 'POST';
  return new Promise<void>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answered = false;
    let sink: BodySink | undefined;
    const stop = (): void => {
      controller?.abort(reasonOf(signal));
      reject(signal.reason);
    };
    const finish = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      settle();
    };
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    dispatcher.dispatch(
      {
        path: post ? path : `${path}?${request.form}`,
        method: request.method,
        headers: post ? { 'content-type': 'application/x-www-form-urlencoded', ...options.headers } : options.headers,
        body: post ? request.form : null,
      },
      {
        onRequestStart(started) {
          // The connection came too late. What is aborted here is never written to it.
          if (signal.aborted) return started.abort(reasonOf(signal));
          controller = started;
          onSent();
        },
        onResponseStarted() {
          answered = true;
        },
        onResponseStart(_controller, status, headers) {
          answered = true;
          if (status >= 200) sink = onAnswer(status, headers);
        },
        onResponseData(_controller, chunk) {
          sink?.push(chunk);
        },
        onResponseEnd() {
          finish(resolve);
        },
        onResponseError(_controller, error) {
          finish(() => reject(signal.aborted ? signal.reason : faultOf(error, answered)));
        },
      },
    );
  });
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('aborted', { cause: reason });

function faultOf(error: Error, answered: boolean): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof Refusal) return error;
  const words = `${code} ${error.message}`;
  return !answered && lost.has(code) ? new NoAnswer(words, { cause: error }) : new StoreFault(words, { cause: error });
}
