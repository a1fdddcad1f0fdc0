import { expect, test } from 'vitest';
import { gpu, recorded, samplesOf, seriesOf, t0, valuesOf } from './recorded.ts';

const temperatures = new Set(['DCGM_FI_DEV_GPU_TEMP', 'amd_gpu_junction_temperature']);
const hot = gpu('aurora-prod-n2', 3);
const warmAmd = gpu('borealis-train-n2', 3);

test('the thermal hold: at or above 83 °C for 41 minutes, at most 91', () => {
  const held = valuesOf('DCGM_FI_DEV_GPU_TEMP', hot, 100, 59);
  expect(held).toHaveLength(82);
  expect(Math.min(...held)).toBeGreaterThanOrEqual(83);
  expect(Math.max(...held)).toBe(91);
});

test('the hold on an AMD GPU: 85 °C for 8 minutes', () => {
  expect([...new Set(valuesOf('amd_gpu_junction_temperature', warmAmd, 160, 152))]).toEqual([85]);
});

test('no GPU reaches 83 °C at any other time', () => {
  const above = recorded
    .filter(({ labels }) => temperatures.has(labels['__name__']!))
    .flatMap(({ labels, times, values }) =>
      Array.from(times, (time, i) => ({ labels, min: (time - t0) / 60, value: values[i]! })),
    )
    .filter(({ value }) => value >= 83);
  const unscripted = above.filter(
    ({ labels, min }) =>
      !(labels['Hostname'] === hot['Hostname'] && labels['gpu'] === '3' && min >= -100 && min <= -59) &&
      !(labels['hostname'] === warmAmd['hostname'] && labels['gpu_id'] === '3' && min >= -160 && min <= -152),
  );
  expect(unscripted).toEqual([]);
});

test('the reference of an H100 is between 70 and 75 °C', () => {
  const pooled = [valuesOf('DCGM_FI_DEV_GPU_TEMP', {}, 360)].flat().sort((a, b) => a - b);
  const p95 = pooled[Math.floor(pooled.length * 0.95)];
  expect(p95).toBeGreaterThanOrEqual(70);
  expect(p95).toBeLessThanOrEqual(75);
});

test('a thermal hold throttles: timer, reasons, clock events, a slower clock, less tensor work', () => {
  const timer = valuesOf('DCGM_FI_DEV_THERMAL_VIOLATION', hot, 101, 58);
  expect((timer.at(-1)! - timer[0]!) / 1e9).toBeCloseTo(0.45 * 41 * 60, 3);
  expect(valuesOf('DCGM_FI_DEV_CLOCKS_EVENT_REASONS', hot, 80, 79)).toEqual([0x68, 0x68]);
  expect(valuesOf('DCGM_EXP_CLOCK_EVENTS_TOTAL', { ...hot, clock_event: 'hw_thermal' }, 101, 99)[0]).toBe(1);
  expect(Math.max(...valuesOf('DCGM_FI_DEV_SM_CLOCK', hot, 99, 60))).toBeLessThan(1350);
  expect(Math.max(...valuesOf('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', hot, 99, 60))).toBeLessThan(0.5);
});

test('a power cap for 25 minutes: its timer and its bit', () => {
  const capped = gpu('aurora-prod-n1', 0);
  const timer = valuesOf('DCGM_FI_DEV_POWER_VIOLATION', capped, 241, 214);
  expect((timer.at(-1)! - timer[0]!) / 1e9).toBeCloseTo(900, 3);
  expect([...new Set(valuesOf('DCGM_FI_DEV_CLOCKS_EVENT_REASONS', capped, 239, 216))]).toEqual([0x4]);
});

test('utilization collapses for 15 minutes while the pod runs', () => {
  const usual = valuesOf('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', gpu('aurora-prod-n4', 2), 360).sort((a, b) => a - b);
  const fallen = valuesOf('DCGM_FI_PROF_PIPE_TENSOR_ACTIVE', gpu('aurora-prod-n4', 2), 120, 105);
  expect(fallen.length).toBeGreaterThanOrEqual(30);
  expect(Math.max(...fallen)).toBeLessThan(0.2 * usual[usual.length >> 1]!);
});

test('GPU memory is full for 20 minutes, and only there', () => {
  const used = valuesOf('DCGM_FI_DEV_FB_USED', gpu('aurora-prod-n1', 7), 200, 180);
  expect(Math.min(...used)).toBeGreaterThanOrEqual(0.96 * 81_559);
  expect(Math.max(...valuesOf('DCGM_FI_DEV_FB_USED', {}, 179))).toBeLessThan(0.95 * 81_559);
});

test('an XID brings its series to life on a GPU that goes on reporting', () => {
  const [xid, ...others] = seriesOf('DCGM_FI_DEV_XID_ERRORS');
  expect(others).toEqual([]);
  expect(xid!.labels).toMatchObject({ ...gpu('aurora-prod-n3', 5), err_code: '79' });
  expect(xid!.times[0]! - t0).toBeCloseTo(-180 * 60, -2);
  expect(new Set(xid!.values)).toEqual(new Set([79]));
  expect(samplesOf('DCGM_FI_DEV_GPU_TEMP', gpu('aurora-prod-n3', 5), 179)).toHaveLength(358);
});

test('errors rise by what the script says', () => {
  const risen = (...query: Parameters<typeof valuesOf>) => valuesOf(...query).at(-1)! - valuesOf(...query)[0]!;
  expect(risen('amd_gpu_ecc_uncorrect_total', gpu('borealis-train-n1', 2))).toBe(1);
  expect(risen('amd_gpu_ecc_correct_total', gpu('borealis-train-n1', 2))).toBe(40);
  expect(risen('DCGM_FI_DEV_PCIE_REPLAY_COUNTER', gpu('aurora-prod-n4', 6))).toBe(12);
});

test('a host waits for its disks for 12 minutes; at any other time no host waits for a fifth of it', () => {
  const rates = seriesOf('node_pressure_io_waiting_seconds_total').flatMap(({ labels, times, values }) =>
    Array.from(times, (time, i) => ({
      instance: labels['instance'],
      min: (time - t0) / 60,
      rate: (values[i]! - values[i - 1]!) / 30,
    })),
  );
  const waited = ({ instance, min }: (typeof rates)[number]) =>
    instance === '10.20.0.13:9100' && min >= -150 && min <= -137.5;
  expect(
    Math.min(...rates.filter((one) => waited(one) && one.min > -149.5 && one.min < -138).map((one) => one.rate)),
  ).toBeGreaterThan(0.35);
  expect(Math.max(...rates.filter((one) => !waited(one) && one.rate >= 0).map((one) => one.rate))).toBeLessThan(0.2);
});

test('a silent GPU stops at 50 minutes, its neighbours do not', () => {
  expect(samplesOf('amd_gpu_junction_temperature', gpu('borealis-train-n2', 7), 50)).toEqual([]);
  expect(samplesOf('amd_gpu_junction_temperature', gpu('borealis-train-n2', 6), 50)).toHaveLength(100);
});

test('the alert of the thermal hold: pending for two minutes, then firing to its end', () => {
  const about = { alertname: 'GPUHighTemperature', Hostname: 'aurora-prod-n2', gpu: '3' };
  const pending = samplesOf('ALERTS', { ...about, alertstate: 'pending' });
  const firing = samplesOf('ALERTS', { ...about, alertstate: 'firing' });
  expect(pending.every(({ min, value }) => min >= -100 && min < -98 && value === 1)).toBe(true);
  expect([firing[0]!.min, firing.at(-1)!.min]).toEqual([expect.closeTo(-98, 0), expect.closeTo(-59, 0)]);
  expect(new Set(valuesOf('ALERTS_FOR_STATE', about))).toEqual(new Set([t0 - 6000]));
});
