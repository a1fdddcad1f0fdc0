import { history } from '../demo/history.ts';
import { startExporter } from '../demo/start-exporter.ts';
import { startStore } from '../embedded/store.ts';
import { demoTraining } from './demo-training.ts';

/**
 * A fleet that is made up: a real store, a day of history, exporters and a training job that go on, for as long as `use`
 * takes.
 */
export async function withDemoStore<T>(say: (line: string) => void, use: (storeUrl: string) => Promise<T>): Promise<T> {
  const t0 = Math.floor(Date.now() / 1000);
  const exporter = await startExporter(t0);
  try {
    say('Starting a Prometheus for the demo.');
    const store = await startStore({ scrape: exporter.targets, onProgress: say });
    try {
      say('Writing a day of history of the demo fleet into it.');
      await store.load(history(t0));
      const training = await demoTraining(store.url, t0);
      try {
        return await use(store.url);
      } finally {
        await training.stop();
      }
    } finally {
      await store.close();
    }
  } finally {
    await exporter.close();
  }
}
