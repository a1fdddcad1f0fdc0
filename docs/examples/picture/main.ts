// Draws a training run's step time above the temperature of the GPU that held it back, as SVG on standard output:
// node docs/examples/picture/main.ts > slow-run.svg, with Node 22.19 or newer.
import { draw, type Series } from './draw.ts';

const document = `{
  cluster(name: "aurora-prod", window: { range: LAST_6H, points: 96 }) {
    run(name: "train-llm") {
      stepSeconds { t0 stepS values }
      pauses { from to }
      slowdowns { from to minutes ratio summary }
    }
    node(name: "aurora-prod-n2") { gpu(index: 3) { tempC { t0 stepS values } } }
  }
}`;

interface Answer {
  readonly data: {
    readonly cluster: {
      readonly run: {
        readonly stepSeconds: Series | null;
        readonly pauses: readonly Times[];
        readonly slowdowns: readonly (Times & { minutes: number; ratio: number; summary: string })[] | null;
      };
      readonly node: { readonly gpu: { readonly tempC: Series | null } };
    };
  } | null;
  readonly errors?: readonly { readonly message: string }[];
}
interface Times {
  readonly from: string;
  readonly to: string;
}

const token = process.env['GPUQL_TOKEN'];
const answer = await fetch(process.env['GPUQL_URL'] ?? 'http://127.0.0.1:4000/graphql', {
  method: 'POST',
  headers: { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) },
  body: JSON.stringify({ query: document }),
});
const { data, errors = [] } = (await answer.json()) as Answer;
// What failed is not drawn as if nothing had been there.
if (!data || errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n') || 'no data');

const { run, node } = data.cluster;
const { tempC } = node.gpu;
if (!run.stepSeconds || !run.slowdowns) throw new Error('The run reported no step times in this window.');
if (!tempC) throw new Error('The store holds no temperature of this GPU in this window.');
const at = ({ from, to }: Times) => ({ from: Date.parse(from) / 1000, to: Date.parse(to) / 1000 });
const panels = [
  { title: 'train-llm: seconds a step', color: '#0969da', series: run.stepSeconds },
  { title: 'GPU 3 of aurora-prod-n2: °C', color: '#cf222e', series: tempC },
];
const slow = run.slowdowns.map((each) => ({
  ...at(each),
  label: `${each.ratio.toFixed(2)} × for ${Math.round(each.minutes)} min`,
}));
process.stdout.write(draw(panels, slow, run.pauses.map(at)));
for (const { summary } of run.slowdowns) process.stderr.write(`${summary}\n`);
