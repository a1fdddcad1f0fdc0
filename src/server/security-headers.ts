/** On every answer, whatever it is. */
export const securityHeaders = {
  // An answer is one organization's, and of this moment: no cache between us and the client may keep it.
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  // Pages of other sites can embed nothing of it, not even as a picture that does not load.
  'Cross-Origin-Resource-Policy': 'same-origin',
  // An answer is read, never run. A page of ours says itself what it needs.
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
