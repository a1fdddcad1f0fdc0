import { boards, clusters } from './fleet.ts';

const models = { nvidia: 'H100', amd: 'MI355X' } as const;

/** The gateway's configuration for the demo: one open organization with both clusters, beside the island's shared pool. */
export function demoConfig(storeUrl: string): string {
  const own = clusters.filter(({ tenants }) => tenants);
  const pool = clusters.filter(({ tenants }) => !tenants);
  return `listen: { host: 127.0.0.1, port: 4000 }
islands:
  - name: north
    prometheus: { url: ${JSON.stringify(storeUrl)}, writeUrl: ${JSON.stringify(`${storeUrl}/api/v1/write`)} }
    sharedPool: [${pool.map(({ name }) => name).join(', ')}]
organizations:
  - name: demo
    clusters:
${own.map(({ name, vendor }) => `      - { name: ${name}, island: north, vendor: ${vendor}, model: ${models[vendor]} }`).join('\n')}
labels: { cluster: cluster }
scrapeIntervalS: 30
models:
${Object.entries(models)
  .map(([vendor, model]) => `  ${JSON.stringify(`${boards[vendor as keyof typeof boards].modelName}.*`)}: ${model}`)
  .join('\n')}
`;
}
