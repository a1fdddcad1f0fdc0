import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The kernel's clock ticks in a second, on every Linux that Node runs on. */
const ticksPerS = 100;

/** CPU time that a process has used so far, user and system, all threads, ended ones included. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerS;
}

/** The memory that a process holds now, in MB. */
export function rssMb(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

/** The most memory that a process ever held, in MB. */
export function peakRssMb(pid: number): number {
  const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(found?.[1]) / 1024;
}

/** The process of the store at an address, by its command line. */
export function storePid(url: string): number {
  const address = `--web.listen-address=${new URL(url).host}`;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const words = commandLine(pid);
    if (basename(words[0] ?? '') !== 'sh' && words.includes(address)) return Number(pid);
  }
  throw new Error(`no process listens with ${address}`);
}

function commandLine(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // it ended meanwhile
  }
}
