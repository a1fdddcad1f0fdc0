import { ago, HOUR, NOW, scrapes } from '../support/fleet/clock.ts';
import { type Labels, type Series, series, type Value } from '../support/fleet/series.ts';
import { fraction } from '../support/fleet/wobble.ts';

/** Whose questions are asked. One name holds a dot: as a pattern it would match its neighbour `gpu-east` too. */
export const own = ['aurora-prod', 'aurora-lab', 'gpu.east'];

/** A sequence of letters that is in the names and label values of others, and in nothing of ours. */
export const MARK = 'zqx';

/** Clusters of others. Without anchors, without escapes, or in another case, ours would match them or they ours. */
export const others = [
  'aurora',
  `aurora-prod-${MARK}`,
  `${MARK}-aurora-lab`,
  'aurora-lab2',
  'gpu-east',
  'AURORA-PROD',
  'aurora-prod|aurora-lab',
  'aurora-prod\n',
  `borealis-${MARK}`,
];

/** Those of them that the configuration knows, as another organization's. */
export const neighbour = ['aurora', 'aurora-lab2', 'gpu-east', `borealis-${MARK}`];

/** The island's shared pool: readable only through `reference`. */
export const pool = `pool-${MARK}`;

const times = scrapes({ from: ago(HOUR + 600), to: NOW, every: 60, phase: 3 });
const early = times.filter((time) => time < ago(HOUR / 2));
const late = times.filter((time) => time >= ago(HOUR / 3));

/** The numbers of others lie where none of ours does: ten digits that begin with 77. */
export const foreignNumber = (value: number): boolean => value >= 7_700_000_000 && value < 7_800_000_000;

interface Origin {
  readonly labels: Labels;
  /** Behind the names of whatever a label of this origin points at. */
  readonly suffix: string;
  readonly base: number;
}

/** No two series share a value at any time, so that `topk` has no ties to break. */
const numbered = (base: number) => {
  let at = 0;
  const next = (): number => base + 1000 * at++;
  return {
    gauge: (key: string): Value => {
      const middle = next();
      return (time) => middle + Math.floor(900 * fraction(key, time));
    },
    counter: (perMinute: number): Value => {
      const start = next();
      return (time) => start + Math.max(0, Math.floor((time - ago(2 * HOUR)) / 60)) * perMinute;
    },
  };
};

/** A small fleet of one cluster, or of no cluster at all. `job`, `instance` and `gpu` are the same everywhere: what a join goes by. */
const fleetOf = ({ labels, suffix, base }: Origin): Series[] => {
  const { gauge, counter } = numbered(base);
  const all: Series[] = [];
  for (const node of ['n1', 'n2']) {
    const target = { ...labels, job: 'dcgm', instance: `${node}:9400`, Hostname: `${node}${suffix}` };
    for (const gpu of ['0', '1']) {
      const key = `${labels['cluster']} ${node} ${gpu}${suffix}`;
      const card = { ...target, gpu, pod: `train-${gpu}${suffix}` };
      const lived = node === 'n2' && gpu === '1' ? late : times;
      all.push(
        series('DCGM_FI_DEV_GPU_TEMP', card, times, gauge(`temp ${key}`)),
        series('DCGM_FI_DEV_POWER_USAGE', card, lived, gauge(`power ${key}`)),
        series('DCGM_FI_DEV_ECC_SBE_VOL_TOTAL', card, times, counter(Number(gpu) + 1)),
      );
    }
    const machine = { ...labels, job: 'node', instance: `${node}:9100` };
    for (const mode of ['idle', 'user']) {
      all.push(
        series('node_cpu_seconds_total', { ...machine, cpu: '0', mode }, times, counter(mode === 'idle' ? 50 : 7)),
      );
    }
    for (const le of ['0.1', '1', '+Inf']) {
      all.push(series('step_duration_seconds_bucket', { ...target, le }, times, counter(le.length * 3)));
    }
    all.push(
      series('up', { ...labels, job: 'dcgm', instance: `${node}:9400` }, times, gauge(`up ${suffix} ${node}`)),
      series('target_info', { ...labels, job: 'dcgm', instance: `${node}:9400`, version: `v1${suffix}` }, times, 1),
      series(
        'kube_pod_info',
        { ...labels, pod: `train-0${suffix}`, node: `${node}${suffix}` },
        early,
        gauge(`pod ${node}`),
      ),
    );
  }
  return all;
};

/** What our organization has in either store. */
export const ownSeries: readonly Series[] = own.flatMap((cluster, at) =>
  fleetOf({ labels: { cluster }, suffix: '', base: 1_000_000 * (at + 1) }),
);

const foreignBase = (at: number): number => 7_700_000_000 + 1_000_000 * at;

const ofOthers = [...others, pool].flatMap((cluster, at) => {
  const origin = { labels: { cluster }, suffix: `-${MARK}${at}`, base: foreignBase(at) };
  return [
    ...fleetOf(origin),
    series(`${MARK}_secret_total`, { ...origin.labels, token: `${MARK}-${at}` }, times, foreignBase(at) + 900_000),
    // A label that none of ours carries.
    series(
      'DCGM_FI_DEV_GPU_TEMP',
      { ...origin.labels, gpu: '7', [`${MARK}_label`]: 'x' },
      times,
      foreignBase(at) + 901_000,
    ),
  ];
});

/** The platform's own: nothing here says whose it is, so it is not ours. */
const ofNobody = (() => {
  const base = foreignBase(50);
  const { gauge } = numbered(base + 500_000);
  const one = (metric: string, labels: Labels): Series =>
    series(metric, labels, times, gauge(`${metric} ${labels['instance']}`));
  return [
    ...fleetOf({ labels: {}, suffix: `-${MARK}99`, base }),
    one('up', { job: 'prometheus', instance: `${MARK}:9090` }),
    one('cluster:gpu_temp:avg', { tenant: `${MARK}-1` }),
    one('job:up:sum', { job: 'dcgm', instance: 'n1:9400', secret: `${MARK}-2` }),
    one('ALERTS', { alertname: `${MARK}Down`, alertstate: 'firing', instance: 'n1:9400', job: 'dcgm' }),
    one('ALERTS_FOR_STATE', { alertname: `${MARK}Down`, instance: 'n2:9400', job: 'dcgm' }),
    one('build_info', { job: 'dcgm', instance: 'n1:9400', secret: `${MARK}-3` }),
    one('target_info', { job: 'node', instance: 'n1:9100', secret: `${MARK}-4` }),
  ];
})();

/** What the shared store holds besides. */
export const foreignSeries: readonly Series[] = [...ofOthers, ...ofNobody];
