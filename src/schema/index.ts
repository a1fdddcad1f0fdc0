import './scalars.ts';
import './query.ts';
import './limits.ts';
import './metrics-query.ts';
import './window.ts';
import './cluster.ts';
import './coverage.ts';
import './node.ts';
import './host.ts';
import './health-episode.ts';
import './gpu.ts';
import './throttle.ts';
import './gpu-errors.ts';
import './series.ts';
import './workload-fields.ts';
import './workload.ts';
import './placement.ts';
import './reference.ts';
import './flag-fields.ts';
import './flag-report.ts';
import './flag.ts';
import './flag-evidence.ts';
import './subscription.ts';
import './flag-change.ts';
import './readings.ts';
import { builder } from './builder.ts';

/** The GraphQL schema; its context is an `Operation`. */
export const schema = builder.toSchema();
