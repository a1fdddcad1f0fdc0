import type { Row } from '../domain/series.ts';

const master = /^(bond|team)\d*$/;

/**
 * The network devices of one host whose traffic adds up to the host's: bond masters where there are any, else the
 * physical ones. Both together would count every byte twice. Virtual devices were never asked for.
 */
export function chosenDevices(rows: readonly Row[]): Row[] {
  const masters = rows.filter(({ labels }) => master.test(labels['device'] ?? ''));
  // A VLAN or a partition of a device (`eth0.12`) carries what its parent counts already.
  return masters.length > 0 ? masters : rows.filter(({ labels }) => !(labels['device'] ?? '').includes('.'));
}
