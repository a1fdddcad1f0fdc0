import { type Labels, type Series, series } from './series.ts';

export interface Alert {
  readonly name: string;
  readonly labels: Labels;
}

/** The alerting history that Prometheus writes: one sample an evaluation while the alert is active. */
export const alerting = (alert: Alert, state: 'pending' | 'firing', times: readonly number[]): Series =>
  series('ALERTS', { alertname: alert.name, alertstate: state, severity: 'warning', ...alert.labels }, times, 1);

/** When the condition began, as Prometheus writes it beside `ALERTS`. */
export const alertSince = (alert: Alert, began: number, times: readonly number[]): Series =>
  series('ALERTS_FOR_STATE', { alertname: alert.name, severity: 'warning', ...alert.labels }, times, began);
