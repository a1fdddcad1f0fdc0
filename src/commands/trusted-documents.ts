import { NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { Config } from '../config.ts';
import { WrongConfiguration } from '../config/fault.ts';
import type { Limits } from '../domain/limits.ts';
import { lex } from '../server/lexing.ts';
import { checkCharacters, checkDefinitions, checkTokens } from '../server/too-large.ts';

/** What the documents are held against. */
interface Gateway {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  readonly introspection: boolean;
}

/**
 * Holds every trusted document against the schema before the gateway is there to ask, so that a release of either that
 * does not go with the other is told at the start, and not to whoever asks first.
 *
 * @throws WrongConfiguration: each document that cannot be asked, by its hash
 */
export function checkTrusted({ documents, only }: NonNullable<Config['trustedDocuments']>, gateway: Gateway): void {
  const isOpen = gateway.introspection && !only;
  const rules = isOpen ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const faults = [...documents].flatMap(([hash, text]) => {
    const why = faultOf(text, gateway, rules);
    return why === undefined ? [] : [{ path, message: `the document sha256:${hash} cannot be asked here: ${why}` }];
  });
  if (faults.length > 0) throw new WrongConfiguration(faults);
}

const path = ['trustedDocuments', 'manifest'];

/** The limits that do not depend on variables, then the grammar, then the schema. */
function faultOf(text: string, { schema, limits }: Gateway, rules: typeof specifiedRules): string | undefined {
  try {
    checkCharacters(text.length, limits);
    checkTokens(lex(text), limits);
    const document = parse(text);
    checkDefinitions(document);
    if (!hasOperation(document)) return 'It holds no operation.';
    const [first] = validate(schema, document, rules);
    return first && placed(first);
  } catch (error) {
    if (!['Refusal', 'GraphQLError'].includes((error as Error).name)) throw error;
    return placed(error as GraphQLError);
  }
}

const hasOperation = ({ definitions }: DocumentNode): boolean =>
  definitions.some(({ kind }) => kind === 'OperationDefinition');

/** What is wrong, and on which line of the document. */
function placed(error: Error & Partial<Pick<GraphQLError, 'locations'>>): string {
  const at = error.locations?.[0];
  return at ? `${error.message} (line ${at.line})` : error.message;
}
