/** The least that anybody does with a JSONL file: reads it and parses each line. */
import { createReadStream } from 'node:fs';

let cut = '';
let count = 0;
for await (const text of createReadStream(process.argv[2]!, { encoding: 'utf8' })) {
  const lines = (cut + (text as string)).split('\n');
  cut = lines.pop()!;
  for (const line of lines) if (JSON.parse(line) !== null) count += 1;
}
console.log(`${count} lines`);
