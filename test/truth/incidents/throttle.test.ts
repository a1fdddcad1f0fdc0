import { ago, HOUR, MINUTE } from '../../support/fleet/clock.ts';
import { jointly, type NodeSeries } from '../../support/fleet/counting.ts';
import { incidents, type Situation } from '../../support/fleet/incidents.ts';
import { except, stepped, type Value } from '../../support/fleet/series.ts';
import { at, besides, climbing, lasting, nvidia, scrapeAt } from '../../support/fleet/situations.ts';

const temp = 'DCGM_FI_DEV_GPU_TEMP';
const thermal = 'DCGM_FI_DEV_THERMAL_VIOLATION';
const power = 'DCGM_FI_DEV_POWER_VIOLATION';
const reasons = 'DCGM_FI_DEV_CLOCKS_EVENT_REASONS';
const total = 'DCGM_EXP_CLOCK_EVENTS_TOTAL';
const second = 1e9;

const counts = (metric: string, value: Value): NodeSeries => nvidia({ readings: { [metric]: value } });
/** A timer that gains so many seconds at each scrape from a minute on, for so many minutes. */
const throttled = (metric: string, perScrapeS: number, from: number, minutes: number): NodeSeries =>
  counts(metric, climbing(7 * second, perScrapeS * second, lasting(from, minutes)));
const masked = (value: Value): NodeSeries => counts(reasons, value);
const counted = (kind: string, value: Value): NodeSeries =>
  jointly(nvidia(), besides(total, value, { clock_event: kind }));

const heat: Situation[] = [
  [
    'a second of thermal throttling at every scrape for twenty minutes: long, but forty seconds',
    throttled(thermal, 1, 20, 19.5),
    ['THERMAL_THROTTLE WARN 20 min'],
  ],
  [
    'throttled for ten minutes out of ten and a half',
    throttled(thermal, 30, 20, 9.5),
    ['THERMAL_THROTTLE HIGH 10 min'],
  ],
  [
    'throttled for just 600 seconds of half an hour',
    throttled(thermal, 10, 20, 29.5),
    ['THERMAL_THROTTLE HIGH 30 min'],
  ],
  ['throttled for 590 seconds of half an hour', throttled(thermal, 10, 20, 29), ['THERMAL_THROTTLE WARN 29.5 min']],
  [
    'throttled for a millisecond, once, after weeks of it',
    counts(thermal, stepped(4e15, [scrapeAt(20), 4e15 + 1e6])),
    ['THERMAL_THROTTLE WARN 0.5 min'],
  ],
  [
    'a driver reload that has throttled for half a second since',
    counts(thermal, stepped(9 * second, [scrapeAt(20), 0.5 * second])),
    ['THERMAL_THROTTLE WARN 0.5 min'],
  ],
  ['a driver reload and no throttling since', counts(thermal, stepped(9 * second, [scrapeAt(20), 0])), []],
  ['throttled before the window only', counts(thermal, stepped(0, [scrapeAt(-2), 9 * second])), []],
  [
    'throttled between the last sample before the window and its first',
    counts(thermal, stepped(0, [scrapeAt(0), 9 * second])),
    ['THERMAL_THROTTLE WARN 0.12 min clipped at start'],
  ],
  [
    'a thermal bit that comes up and stays',
    masked(stepped(0, [scrapeAt(20), 0x20])),
    ['THERMAL_THROTTLE WARN 0.5 min'],
  ],
  ['a thermal bit that has been up all the time', masked(0x40), []],
  ['a hardware slowdown by name neither thermal nor power', masked(except(0, 0x8, lasting(20, 12))), []],
  ['a sync boost and an idle bit', masked(except(0, 0x11, lasting(20, 12))), []],
  [
    'the exporter counts three thermal events',
    counted('hw_thermal', stepped(2, [scrapeAt(20), 3], [scrapeAt(23), 5])),
    ['THERMAL_THROTTLE WARN 3.5 min'],
  ],
  ['the exporter counts hardware slowdowns', counted('hw_slowdown', stepped(2, [scrapeAt(20), 5])), []],
  [
    'a thermal event at every scrape for ten and a half minutes',
    counted('sw_thermal', climbing(0, 1, lasting(20, 10))),
    ['THERMAL_THROTTLE HIGH 10.5 min'],
  ],
  [
    'hot for six minutes and throttled again four and a half minutes later: the joint is not held',
    nvidia({
      readings: {
        [temp]: except(62, 88, lasting(20, 6)),
        [thermal]: stepped(7 * second, [scrapeAt(31), 8 * second]),
      },
    }),
    ['THERMAL_THROTTLE WARN 11 min'],
  ],
  [
    'hot, throttled and a clock event at once: one flag with all of it',
    nvidia({
      readings: {
        [temp]: except(except(62, 88, lasting(20, 6)), 91, lasting(22, 1)),
        [thermal]: climbing(7 * second, 2.5 * second, lasting(21, 6)),
        [reasons]: except(0, 0x60, lasting(21, 6)),
      },
    }),
    ['THERMAL_THROTTLE WARN 7 min'],
  ],
];

const limit: Situation[] = [
  ['capped for half a second', counts(power, stepped(0, [scrapeAt(20), second / 2])), ['POWER_CAP WARN 0.5 min']],
  [
    'capped for twelve seconds of every scrape for twelve minutes',
    throttled(power, 12, 20, 11.5),
    ['POWER_CAP WARN 12 min'],
  ],
  ['capped for twelve whole minutes', throttled(power, 30, 20, 11.5), ['POWER_CAP HIGH 12 min']],
  ['a power timer of weeks that stands still', counts(power, 4e15), []],
  ['a software power cap', masked(except(0, 0x4, lasting(20, 0))), ['POWER_CAP WARN 0.5 min']],
  ['a hardware power brake', masked(except(0, 0x80, lasting(20, 3))), ['POWER_CAP WARN 0.5 min']],
  [
    'a power cap at every scrape for eleven minutes',
    counted('power_cap', climbing(0, 1, lasting(20, 10.5))),
    ['POWER_CAP HIGH 11 min'],
  ],
  [
    'capped again four and a half minutes later: one stretch',
    counts(power, stepped(0, [scrapeAt(20), second], [scrapeAt(25), 2 * second])),
    ['POWER_CAP WARN 5.5 min'],
  ],
  [
    'capped again five and a half minutes later: two stretches',
    counts(power, stepped(0, [scrapeAt(20), second], [scrapeAt(26), 2 * second])),
    ['POWER_CAP WARN 0.5 min', 'POWER_CAP WARN 0.5 min'],
  ],
  [
    'capped in the last scrape',
    counts(power, stepped(0, [scrapeAt(59.5), second])),
    ['POWER_CAP WARN 0.5 min clipped at end'],
  ],
  ['capped all the time', throttled(power, 5, -20, 90), ['POWER_CAP HIGH 59.62 min clipped at both']],
  [
    'a timer born while its GPU was scraped',
    nvidia({ readings: { [power]: 3 * second }, own: { [power]: { from: at(20) } } }),
    ['POWER_CAP WARN 0.5 min'],
  ],
  [
    'a timer born because its exporter came up',
    nvidia({ readings: { [power]: 3 * second }, scraping: { from: at(20) } }),
    [],
  ],
  [
    'a baseline seven minutes older than the window',
    nvidia({ readings: { [power]: stepped(0, [at(0), second]) }, scraping: { holes: [[at(-7), at(0) + 5]] } }),
    [],
  ],
  [
    'a baseline four minutes older than the window',
    nvidia({ readings: { [power]: stepped(0, [at(0), second]) }, scraping: { holes: [[at(-4), at(0) + 5]] } }),
    ['POWER_CAP WARN 0.12 min clipped at start'],
  ],
  [
    'pods that take turns while the timer stands still',
    nvidia({
      lives: [
        [0, {}],
        [at(20), { pod: 'train-1' }],
        [at(40), { pod: 'train-2' }],
      ],
    }),
    [],
  ],
  [
    'a timer that rises just where another pod takes the GPU',
    nvidia({
      readings: { [power]: stepped(0, [scrapeAt(20), second]) },
      lives: [
        [0, {}],
        [at(20), { pod: 'train-1' }],
      ],
    }),
    ['POWER_CAP WARN 0.5 min'],
  ],
  [
    'capped and hot at once: a flag of each kind',
    nvidia({
      readings: {
        [temp]: except(62, 88, lasting(20, 6)),
        [power]: climbing(0, second, lasting(20, 6)),
        [reasons]: except(0, 0x24, lasting(20, 6)),
      },
    }),
    ['THERMAL_THROTTLE WARN 6.5 min', 'POWER_CAP WARN 6.5 min'],
  ],
  [
    'every other timer runs',
    jointly(nvidia(), besides('DCGM_FI_DEV_LOW_UTIL_VIOLATION', climbing(0, second, [ago(HOUR), ago(MINUTE)]))),
    [],
  ],
  ['a blank in a timer', counts(power, except(7 * second, 9.223372036854776e18, lasting(20, 1))), []],
];

incidents([
  { cluster: 'throttled', vendor: 'nvidia', situations: heat },
  { cluster: 'capped', vendor: 'nvidia', situations: limit },
]);
