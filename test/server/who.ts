import { callerOf, type CallerSettings } from '../../src/server/caller-of.ts';
import type { Token } from '../../src/server/token-callers.ts';
import { Operation, toyApp } from './toy-app.ts';

const token = (text: string, isOperator = false): Token => ({ text, isOperator });
const organization = (name: string, ...tokens: Token[]) => ({ name, clusters: [], tokens });
export type Auth = CallerSettings<ReturnType<typeof organization>>['auth'];

export const withTokens = [
  organization('acme', token('acme-1'), token('acme-op', true)),
  organization('zeta', token('zeta-1')),
];
export const withoutTokens = [organization('acme'), organization('zeta')];

class Known extends Operation {
  who = '';
}

/** The edge with one field, `who`: the organization that asks, and `(operator)`. */
export function whoApp(auth: Auth, organizations = withTokens) {
  const log: Record<string, unknown>[] = [];
  const callerFor = callerOf({ organizations, auth }, (line) => log.push(line));
  const toy = toyApp(
    {
      async operation(request, peer) {
        const caller = await callerFor(request, peer);
        return Object.assign(new Known(request), {
          who: `${caller.organization.name}${caller.isOperator ? ' (operator)' : ''}`,
        });
      },
      log: (line) => log.push(line),
    },
    { who: (_root, _args, operation) => (operation as Known).who },
  );
  return { app: toy.app, log };
}

export interface Who {
  readonly status: number;
  readonly who?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What an answer to `{ who }` says. */
export function whoOf(status: number, text: string): Who {
  const { data, errors } = JSON.parse(text) as {
    data?: { who: string };
    errors?: { message: string; extensions: { code: string } }[];
  };
  const [error] = errors ?? [];
  return {
    status,
    ...(data && { who: data.who }),
    ...(error && { code: error.extensions.code, message: error.message }),
  };
}
