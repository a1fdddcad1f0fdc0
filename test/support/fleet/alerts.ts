import { MINUTE, scrapes } from './clock.ts';
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

/** When the rules were evaluated. */
export const evaluations = (from: number, to: number, phase = 5.05): number[] => scrapes({ from, to, phase });

/** All that is on record of one alert: active from `began`, firing five minutes later, until `ended`. */
export const active = (alert: Alert, began: number, ended: number, phase?: number): Series[] => {
  const fires = Math.min(began + 5 * MINUTE, ended);
  return [
    alerting(alert, 'pending', evaluations(began, fires, phase)),
    alerting(alert, 'firing', evaluations(fires, ended, phase)),
    alertSince(alert, began, evaluations(began, ended, phase)),
  ];
};
