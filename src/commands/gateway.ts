import { Polls } from '../live/polls.ts';
import { documentHash, ownDocuments } from '../mcp/own-documents.ts';
import { reportDocument } from '../runs/report-document.ts';
import { schema } from '../schema/index.ts';
import { Gateway as Shared, Operation } from '../schema/operation.ts';
import { upstreamWork } from '../schema/upstream-work.ts';
import { Admission } from '../server/admission.ts';
import { callerOf } from '../server/caller-of.ts';
import { foundClusters } from './found-clusters.ts';
import type { Foundation, Gateway } from './serve.ts';
import { checkTrusted } from './trusted-documents.ts';

/** The graph that the commands serve. @throws WrongConfiguration: a trusted document is not of this schema */
export function gatewayOver(foundation: Foundation): Gateway<Operation> {
  const { config, askFor, writeFor, now, log } = foundation;
  const { limits, site, islands, trustedDocuments: trusted } = config;
  if (trusted) checkTrusted(trusted, { schema, limits, introspection: config.http.introspection });
  const admission = new Admission(limits);
  const standingOf = (organization: string) => admission.standing(organization);
  const polls = new Polls(foundation.sleep);
  const shared = new Shared({ site, islands, askFor, ...(writeFor && { writeFor }), now, limits, standingOf, polls });
  const callerFor = callerOf(config, log);
  const clusters = config.discover ? discovering(foundation) : undefined;
  return {
    schema,
    operation: async (request, peer) => new Operation(shared, await callerFor(request, peer), request.signal, clusters),
    warnings: ({ upstream }) => [...upstream.partial],
    limits,
    // The tools' own documents are the project's, and so is the forwarder's.
    ...(trusted && {
      trusted: {
        ...trusted,
        documents: new Map([...ownDocuments, [reportHash, reportDocument], ...trusted.documents]),
        hashes: new Map([[reportDocument, reportHash]]),
      },
    }),
    work: upstreamWork,
    cost({ upstream, isOperator }) {
      const costs = upstream.count();
      return () => costs.told(isOperator);
    },
    admit: ({ organization }) => admission.enter(organization.name),
    open: ({ organization }) => admission.open(organization.name),
    end: () => polls.close(),
  };
}

const reportHash = documentHash(reportDocument);

/** The clusters that the one store shows now. All of it is one organization's, which alone may ask. */
function discovering({ config, askFor, now, log }: Foundation) {
  const organization = config.organizations[0]!.name;
  const island = config.islands[0]!.name;
  return foundClusters({ ask: askFor(organization)(island), island, site: config.site, now, log });
}
