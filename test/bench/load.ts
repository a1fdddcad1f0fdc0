import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import type { Sent } from './client.ts';

/**
 * Sends one request again and again over kept connections, each as soon as the last one is answered. Bytes over a
 * socket, because an HTTP client in this process would be the slower end.
 *
 * @returns how many were answered
 */
export async function load(url: string, sent: Sent, connections: number, forMs: number): Promise<number> {
  const { hostname, port } = new URL(url);
  const head = [
    `POST ${sent.path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `content-type: ${sent.type}`,
    `content-length: ${Buffer.byteLength(sent.body)}`,
  ];
  const request = Buffer.from(`${head.join('\r\n')}\r\n\r\n${sent.body}`);
  const until = performance.now() + forMs;
  const each = await Promise.all(
    Array.from({ length: connections }, () => loop(connect(Number(port), hostname), request, until)),
  );
  return each.reduce((sum, count) => sum + count, 0);
}

function loop(socket: Socket, request: Buffer, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0;
    let received = '';
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('a connection was closed')));
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      if (!isWhole(received)) return;
      if (!received.startsWith('HTTP/1.1 200')) return void reject(new Error(received.slice(0, 500)));
      received = '';
      count += 1;
      if (performance.now() < until) return void socket.write(request);
      socket.removeAllListeners('close').end();
      resolve(count);
    });
    socket.write(request);
  });
}

function isWhole(answer: string): boolean {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /content-length: (\d+)/i.exec(answer.slice(0, end));
  return length === null ? answer.endsWith('\r\n0\r\n\r\n') : answer.length >= end + 4 + Number(length[1]);
}
