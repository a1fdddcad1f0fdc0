/** The stores that the tests know. The demo takes the first, or any Prometheus that is new enough. */
export type Engine = 'prometheus-3' | 'prometheus-2' | 'victoria-metrics' | 'victoria-metrics-1.79';

export interface EngineFacts {
  readonly family: 'prometheus' | 'victoria-metrics';
  /** The Debian package and the suite that holds the wanted line of it. */
  readonly package: string;
  readonly suite: string;
  /** The store's name in the package's `usr/bin`. */
  readonly program: string;
  /** How the version begins: a suite moves on, and a test named for one line must not run on another. */
  readonly line: string;
}

export const engines = {
  'prometheus-3': {
    family: 'prometheus',
    package: 'prometheus',
    suite: 'sid',
    program: 'prometheus',
    line: '3.',
  },
  'prometheus-2': {
    family: 'prometheus',
    package: 'prometheus',
    suite: 'bookworm',
    program: 'prometheus',
    line: '2.',
  },
  'victoria-metrics': {
    family: 'victoria-metrics',
    package: 'victoria-metrics',
    suite: 'sid',
    program: 'victoria-metrics',
    line: '1.',
  },
  'victoria-metrics-1.79': {
    family: 'victoria-metrics',
    package: 'victoria-metrics',
    suite: 'bookworm',
    program: 'victoria-metrics',
    line: '1.79.',
  },
} as const satisfies Record<Engine, EngineFacts>;
