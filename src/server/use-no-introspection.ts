import { NoSchemaIntrospectionCustomRule, validate } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Says nothing of the schema but to whoever knows it: neither in answers, nor by "Did you mean" in what it refuses. */
export const useNoIntrospection = (): Plugin => ({
  onValidate({ addValidationRule, setValidationFn }) {
    addValidationRule(NoSchemaIntrospectionCustomRule);
    setValidationFn((schema, document, rules) => validate(schema, document, rules, { hideSuggestions: true }));
  },
});
