/** For a JSON API, these constants cover everything that helmet would set. */
export const standardHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Live mode only, which requires https. In a sandbox on localhost, HSTS would block a
 * developer's browser from every other plain-http server there for a year.
 */
export const liveHeaders = {
  ...standardHeaders,
  'strict-transport-security': 'max-age=31536000',
}
