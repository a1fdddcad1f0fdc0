/** The names that a gateway answers to, as a Host header spells them; the port is free. */
export type HostNames = readonly string[];

/**
 * The names of a gateway that asks nobody for a token. A page of another site can have its own name resolved to this
 * machine, and a browser then lets it read the answers; but the Host header still holds that other name.
 */
export function loopbackNames(host: string): HostNames {
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return [...new Set(['localhost', '127.0.0.1', '[::1]', own.toLowerCase()])];
}

/** No Host at all is a client of HTTP/1.0, and no browser. */
export function namesHost(names: HostNames, host: string | undefined): boolean {
  return host === undefined || names.includes(URL.parse(`http://${host}`)?.hostname ?? '');
}
