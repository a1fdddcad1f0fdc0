import { type Document, LineCounter, parseDocument } from 'yaml';
import { endless } from './document.ts';
import { WrongConfiguration } from './fault.ts';

/** What a YAML text holds. @throws WrongConfiguration: it is no YAML, or has no end */
export function parsed(yaml: string): unknown {
  const lines = new LineCounter();
  // Not `prettyErrors`: they quote the line, and the line may hold a token.
  const document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ code, pos }) => {
      const { line, col } = lines.linePos(pos[0]);
      return {
        path: [],
        message: `line ${line}, column ${col} is not YAML (${code.toLowerCase().replaceAll('_', ' ')})`,
      };
    });
    throw new WrongConfiguration(faults);
  }
  const value = valueOf(document);
  const fault = endless(value);
  if (fault !== undefined) throw new WrongConfiguration([{ path: [], message: fault }]);
  return value;
}

function valueOf(document: Document.Parsed): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases that multiply: a small file that means an endless one.
    throw new WrongConfiguration([{ path: [], message: 'has too many aliases (*name); write the values out' }]);
  }
}
