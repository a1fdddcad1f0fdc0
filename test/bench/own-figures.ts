/** Loaded into a child before its own program, which tells at its end what it used. */
import { writeSync } from 'node:fs';

process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const figures = { cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 };
  writeSync(2, `figures ${JSON.stringify(figures)}\n`);
});
