import { ago, HOUR, MINUTE, scrapes } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { type KubePod, podSeries } from '../../support/fleet/pods.ts';
import { except, stepped, type Value } from '../../support/fleet/series.ts';
import { at, lasting, nvidia, phase } from '../../support/fleet/situations.ts';

const tensor = 'DCGM_FI_PROF_PIPE_TENSOR_ACTIVE';
const util = 'DCGM_FI_DEV_GPU_UTIL';
const works = (value: Value): NodeSeries => nvidia({ readings: { [tensor]: value } });
const low = (share: number, ...spans: [from: number, minutes: number][]): Value =>
  except(0.5, share, ...spans.map(([from, minutes]) => lasting(from, minutes)));
/** 50 % but for 10 % from a minute on, for so many minutes. */
const fallen = (...spans: [from: number, minutes: number][]): NodeSeries => works(low(0.1, ...spans));
const warned = ['UTILIZATION_COLLAPSE WARN 12 min'];

const labelled: Situation[] = [
  ['a collapse of ten minutes', fallen([20, 10]), ['UTILIZATION_COLLAPSE WARN 10 min']],
  ['a collapse of nine and a half minutes', fallen([20, 9.5]), []],
  ['at just half of the median', works(low(0.25, [20, 12])), []],
  ['a little below half of the median', works(low(0.249, [20, 12])), warned],
  ['a collapse of twenty minutes is no worse than a warning', fallen([20, 20]), ['UTILIZATION_COLLAPSE WARN 20 min']],
  ['idle all the time: there is nothing to fall from', works(0), []],
  ['a collapse that one sample interrupts', fallen([20, 6], [27, 6]), []],
  [
    'a collapse with a silence of 90 s in it',
    nvidia({ readings: { [tensor]: low(0.1, [20, 12]) }, scraping: { holes: [[at(25) + 10, at(26) + 10]] } }),
    warned,
  ],
  [
    'a collapse with a silence of two minutes in the middle',
    nvidia({ readings: { [tensor]: low(0.1, [20, 12]) }, scraping: { holes: [[at(25) + 10, at(26.5) + 10]] } }),
    [],
  ],
  ['a silent GPU is not idle', nvidia({ scraping: { holes: [[at(20), at(35)]] } }), []],
  ['a collapse since before the window', fallen([-8, 12]), ['UTILIZATION_COLLAPSE WARN 4 min clipped at start']],
  ['a collapse at the end', fallen([48, 20]), ['UTILIZATION_COLLAPSE WARN 11.5 min clipped at end']],
  ['the last nine minutes', fallen([51, 20]), []],
  [
    'a collapse across the end of a window of the past',
    fallen([25, 11]),
    ['UTILIZATION_COLLAPSE WARN 4.5 min clipped at end'],
    [ago(90 * MINUTE), ago(30 * MINUTE)],
  ],
  [
    'work before the window, half of it in the window: the median is the window’s',
    works(stepped(0.5, [at(0), 0.2])),
    [],
  ],
  ['again four and a half minutes later', fallen([5, 11], [20.5, 11]), ['UTILIZATION_COLLAPSE WARN 26.5 min']],
  [
    'again five and a half minutes later',
    fallen([5, 11], [21.5, 11]),
    ['UTILIZATION_COLLAPSE WARN 11 min', 'UTILIZATION_COLLAPSE WARN 11 min'],
  ],
  [
    'the tensor cores fall idle while the GPU looks busy',
    nvidia({ readings: { [tensor]: low(0.1, [20, 12]), [util]: 100 } }),
    warned,
  ],
  [
    'the tensor cores work on while utilization falls',
    nvidia({ readings: { [util]: except(80, 5, lasting(20, 12)) } }),
    [],
  ],
  [
    'no tensor reading: utilization falls',
    nvidia({ readings: { [tensor]: null, [util]: except(80, 10, lasting(20, 12)) } }),
    warned,
  ],
  [
    'no tensor reading, and utilization of 4294967295 % now and then: neither a peak nor a fall',
    nvidia({ readings: { [tensor]: null, [util]: except(80, 4_294_967_295, lasting(20, 1), lasting(30, 12)) } }),
    [],
  ],
  [
    'a collapse of utilization with a garbage sample in it',
    nvidia({
      readings: { [tensor]: null, [util]: except(except(80, 10, lasting(20, 12)), 4_294_967_295, lasting(25, 0)) },
    }),
    warned,
  ],
  [
    'the pod leaves, and the GPU is idle',
    nvidia({
      readings: { [tensor]: low(0, [20, 60]) },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: undefined }],
      ],
    }),
    [],
  ],
  [
    'idle between one pod and the next',
    nvidia({
      readings: { [tensor]: low(0, [20, 15]) },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: undefined }],
        [at(35) + 10, { pod: 'b' }],
      ],
    }),
    [],
  ],
  [
    'a pod that takes the GPU over and does nothing for twelve minutes',
    nvidia({
      readings: { [tensor]: low(0.01, [20, 12]) },
      lives: [
        [0, { pod: 'a' }],
        [at(20), { pod: 'b' }],
      ],
    }),
    warned,
  ],
  [
    'a GPU that nobody has, beside one at work',
    jointly(nvidia(), nvidia({ readings: { [tensor]: low(0, [20, 12]) }, gpu: { index: 1, pod: undefined } })),
    [],
  ],
  [
    'one of two GPUs falls idle',
    jointly(nvidia(), nvidia({ readings: { [tensor]: low(0, [20, 12]) }, gpu: { index: 1 } })),
    ['UTILIZATION_COLLAPSE GPU 1 WARN 12 min'],
  ],
  [
    'both MIG instances fall idle',
    jointly(
      ...['1', '2'].map((id) =>
        nvidia({
          readings: { [tensor]: low(0.05, [20, 12]), [util]: null },
          gpu: { pod: `slice-${id}`, extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } },
        }),
      ),
    ),
    warned,
  ],
  [
    'one of two MIG instances falls idle: the board still works half',
    jointly(
      ...['1', '2'].map((id) =>
        nvidia({
          readings: { [tensor]: id === '1' ? low(0, [20, 12]) : 0.5, [util]: null },
          gpu: { pod: `slice-${id}`, extra: { GPU_I_ID: id, GPU_I_PROFILE: '3g.40gb' } },
        }),
      ),
    ),
    [],
  ],
];

const times = scrapes({ phase });
/** A GPU whose series name no pod, and the pods that Kubernetes knew on its node. */
const kube =
  (value: Value, ...pods: Partial<KubePod>[]): NodeSeries =>
  (node) => [
    ...nvidia({ readings: { [tensor]: value }, gpu: { pod: undefined } })(node),
    ...pods.flatMap((pod, nth) =>
      podSeries({ node, created: ago(5 * HOUR), running: ago(5 * HOUR), ...pod, name: `${node}-pod-${nth}` }, times),
    ),
  ];
const collapse = low(0.05, [20, 12]);
const onTheOther: NodeSeries = (node) =>
  podSeries(
    { name: `${node}-away`, node: 'elsewhere', gpus: 8, created: ago(5 * HOUR), running: ago(5 * HOUR) },
    times,
  );

const asking: Situation[] = [
  ['a pod that asked for GPUs runs throughout', kube(collapse, { gpus: 8 }), warned],
  ['only a pod that asked for none runs', kube(collapse, {}), []],
  ['the pod waits and does not run', kube(collapse, { gpus: 8, running: Infinity }), []],
  [
    'the pod has finished before, and Kubernetes still shows it',
    kube(low(0, [19, 60]), { gpus: 8, ended: at(19) - 20 }),
    [],
  ],
  [
    'the pod ends and another begins a quarter of an hour later',
    kube(low(0, [20, 15]), { gpus: 8, ended: at(19) - 20 }, { gpus: 8, created: at(36), running: at(36) }),
    [],
  ],
  [
    'a pod that fell idle an hour ago, ends when it has been so for twenty minutes',
    kube(low(0.05, [20, 60]), { gpus: 8, ended: at(40) - 5, deleted: at(41) }),
    ['UTILIZATION_COLLAPSE WARN 19.5 min'],
  ],
  [
    'the pod moves to another node',
    jointly(kube(low(0, [20, 60]), { gpus: 8, ended: at(19) - 20, deleted: at(20) }), onTheOther),
    [],
  ],
  ['no pod at all', kube(collapse), []],
];
const unasked: Situation[] = [
  ['a pod of nobody knows what runs', kube(collapse, {}), warned],
  ['only a daemon runs', kube(collapse, { owner: ['DaemonSet', 'exporter'] }), []],
  [
    'a daemon, and a pod beside it',
    kube(collapse, { owner: ['DaemonSet', 'exporter'] }, { owner: ['Job', 'train'] }),
    warned,
  ],
];

incidents([
  { cluster: 'idle', vendor: 'nvidia', situations: labelled },
  { cluster: 'asking', vendor: 'nvidia', situations: asking },
  { cluster: 'unasked', vendor: 'nvidia', situations: unasked },
]);
