import { print } from 'graphql';
import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import { ask } from '../fetch/ask.ts';
import type { introspection } from './generated/graphql-env.d.ts';

/** The types come from the schema as the document is typed in: nothing is generated for a document. */
const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: {
    DateTime: string;
    Count: number;
    Samples: readonly (number | null)[];
    LabelSet: Readonly<Record<string, string>>;
  };
}>();

const SlowRun = graphql(`
  query SlowRun($cluster: String!, $job: String!) {
    cluster(name: $cluster, window: { range: LAST_6H }) {
      workload(kind: JOB, name: $job) {
        placementSource
        flags {
          clean
          note
          flags {
            kind
            severity
            gpu {
              index
            }
            evidence {
              peakTempC
            }
            summary
          }
        }
      }
    }
  }
`);

const { GPUQL_URL: url = 'http://127.0.0.1:4000/graphql', GPUQL_TOKEN: token } = process.env;
const variables: VariablesOf<typeof SlowRun> = { cluster: 'aurora-prod', job: 'train-llm' };
const document = { toString: () => print(SlowRun) };
const { data, errors } = await ask<ResultOf<typeof SlowRun>, typeof variables>({ url, token }, document, variables);
for (const { message, extensions } of errors) console.error(`${extensions.code}: ${message}`);

const report = data?.cluster?.workload?.flags;
// No report is not a clean one.
if (!report) process.exit(1);
for (const { severity, summary } of report.flags) console.log(`${severity}: ${summary}`);
if (!report.clean) console.log(report.note);
