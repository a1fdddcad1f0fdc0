/** Takes reports and keeps nothing; all of a gateway that a forwarder needs. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const mark = Buffer.from('"ts_ms"');

const server = createServer((request, response) => {
  let written = 0;
  let end = Buffer.alloc(0);
  request.on('data', (chunk: Buffer) => {
    // Counted, not parsed: the sink has the machine in common with what is measured.
    const bytes = end.length > 0 ? Buffer.concat([end, chunk]) : chunk;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) written += 1;
    end = Buffer.from(bytes.subarray(Math.max(0, bytes.length - mark.length + 1)));
  });
  request.on('end', () => {
    const rest = { repeated: 0, conflicting: 0, refused: 0, skipped: [], rejected: [], note: null };
    response.end(JSON.stringify({ data: { reportRun: { written, ...rest } } }));
  });
});
server.listen(0, '127.0.0.1', () =>
  console.log(`answers at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
