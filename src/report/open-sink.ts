import type { Sink } from './sink.ts';
import type { Target } from './target.ts';
import { toLines, toNowhere } from './to-lines.ts';
import { openLines, type WriteLine } from './whole-lines.ts';

export interface SinkSettings {
  readonly say: (line: string) => void;
  /** One line of standard output. */
  readonly write: WriteLine;
  readonly fetch?: typeof fetch;
}

/** @throws CannotReport */
export async function openSink(target: Target, settings: SinkSettings): Promise<Sink> {
  switch (target.to) {
    case 'nowhere':
      return toNowhere();
    case 'stdout':
      return toLines('stdout', settings, settings.say);
    case 'file':
      return toLines(target.path, openLines(target.path), settings.say);
    case 'gateway': {
      // An HTTP client is only loaded where something is sent.
      const { openGateway } = await import('./open-gateway.ts');
      return openGateway(target, settings);
    }
  }
}
