/** Words of another program, on one line and without what nobody may read. */
export const shownOf = (text: string, secrets: readonly string[]): string =>
  secrets
    .reduce((text, secret) => text.replaceAll(secret, '***'), text)
    .replaceAll(/\p{C}+/gu, ' ')
    .slice(0, 1_000);

/** The longest that a gateway has to say is some hundred kibibytes. */
const mostBytes = 4 * 1_048_576;

/** A body as text: its beginning, where it has no end. */
export async function beginningOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    bytes += chunk.length;
    // To leave it ends the connection.
    if (bytes >= mostBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}
