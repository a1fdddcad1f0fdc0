/** Documents with every field that there is. */
const series = '{ t0 stepS values mean min max last lastAt }';
const each = (...names: readonly string[]): string => names.map((name) => `${name} ${series}`).join(' ');
const coverage = 'coverage { present missing }';

export const everyGpuField = `index uuid model sharing node { name } peakTempC hbmTotalGib
  ${each('tempC', 'memoryTempC', 'smClockMhz', 'memClockMhz', 'utilPct', 'smActivePct', 'dramActivePct')}
  ${each('tensorActivePct', 'powerW', 'hbmUsedGib')}
  throttle { thermalS powerS boardLimitS syncBoostS lowUtilS reliabilityS clockEvents { kind count } }
  errors { linkCrc linkReplay linkRecovery pcieReplay pcieRecovery eccSbe eccDbe xid xidCodes }`;

export const everyHostField = `host { ${each('cpuBusyPct', 'loadPerCore')} pressure { ${each('cpu', 'memory', 'io')} }
  nic { ${each('rxMbps', 'txMbps')} errors drops } northSouth { ${each('ingressMbps', 'egressMbps')} } }`;

export const everyFlagField = `flags { window { start end stepS points } checked clean ${coverage} note hiddenFlags unavailable
  flags { key kind severity from to minutes clipped { start end } episode { from to } summary node { name } gpu { index }
    evidence { peakTempC referenceP95C thermalThrottleS powerThrottleS clockEvents { kind count } linkCrc linkReplay linkRecovery
      pcieReplay pcieRecovery eccDbe xid xidCodes activityPct medianActivityPct activityFamily resource peakPressurePct
      peakHbmUsedGib hbmTotalGib } } }`;

const workload = `kind namespace name note ${coverage} placementSource placement { pod node { name } from to phase }
  nodes { name } ${everyFlagField}`;

export const everyNodeField = `name state gpuCount note ${coverage} healthEpisodes { kind gpu started ended detail } ${everyFlagField}
  workloads { ${workload} } gpus { ${everyGpuField} } ${everyHostField}`;

export const everyClusterField = (
  nodes: number,
): string => `name island gpuVendor gpuModel window { start end stepS points }
  note ${coverage} reference { gpuModel tempP95C note } ${everyFlagField}
  nodes(first: ${nodes}) { totalCount pageInfo { hasNextPage endCursor } nodes { ${everyNodeField} } }
  workloads { totalCount nodes { ${workload} } }`;
