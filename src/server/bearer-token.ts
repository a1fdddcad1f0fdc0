/** The token of `Authorization: Bearer <token>`; undefined where that header is missing or says something else. */
export const bearerToken = (headers: Headers): string | undefined =>
  /^Bearer +([^ ]+) *$/i.exec(headers.get('authorization') ?? '')?.[1];
