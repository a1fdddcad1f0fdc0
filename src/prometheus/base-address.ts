export interface BaseAddress {
  readonly origin: string;
  /** Mimir and VictoriaMetrics serve the API below a path such as `/prometheus`. No slash at its end. */
  readonly prefix: string;
  /** Credentials written into the address, as the header they mean. */
  readonly headers: Readonly<Record<string, string>>;
}

export function baseAddress(url: string): BaseAddress {
  const { origin, pathname, username, password } = new URL(url);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    prefix: pathname.replace(/\/+$/, ''),
    headers: username === '' ? {} : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
  };
}
