/** Set by hand: all of helmet for a service that answers JSON is these few constant lines. */
export const standardHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/**
 * Only in live mode, whose address is https: in a sandbox on localhost it would keep a developer's
 * browser from everything else there that speaks plain http, for a year.
 */
export const liveHeaders = {
  ...standardHeaders,
  'strict-transport-security': 'max-age=31536000',
}
