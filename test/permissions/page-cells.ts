// Pages that users open in a browser: the kinds of link to test at each, and paths that serve the
// same file to every caller.

/** The link itself is the credential, so a link is live or not, but never another user's. */
const links = ['live', 'ended', 'unknown', 'badid']

export const pages: Record<string, string[]> = {
  'GET /pay/{}': links,
  'POST /pay/{}': links,
  'GET /pay/{}/return': links,
  'GET /pay/{}/receipt': links,
  'GET /pay/{}/credit-note/{}': links,
  'GET /l/{}': links,
  'POST /l/{}': links,
  'GET /setup/{}': links,
  'POST /setup/{}': links,
  'GET /confirm-email/{}': links,
  'POST /confirm-email/{}': links,
  'GET /join/{}': links,
  'POST /join/{}': links,
  'GET /reset/{}': links,
  'POST /reset/{}': links,
  'GET /verify/{}': links,
  'POST /verify/{}': links,
  // These have no link and no caller, and a form without fields.
  'GET /signup': ['form'],
  'POST /signup': ['form'],
  'GET /reset': ['form'],
  'POST /reset': ['form'],
  // The server of the test has no provider; test/identity/oidc has one.
  'GET /dashboard/oidc/start': ['no_provider'],
  'GET /dashboard/oidc/callback': ['no_provider'],
  'GET /dashboard/oidc/link': ['no_provider'],
  'POST /dashboard/oidc/link': ['no_provider'],
  // These accept a cookie only, not a bearer token.
  'POST /dashboard/api/session/passkey': ['no_cookie'],
  'POST /dashboard/api/session/passkey_options': ['no_cookie'],
  'POST /dashboard/api/session/confirm': ['no_cookie'],
  'GET /dashboard/api/session': ['no_cookie'],
  'POST /dashboard/api/session': ['no_cookie'],
  'DELETE /dashboard/api/session': ['no_cookie'],
}

/**
 * Static files and documents, which require no authentication, and the webhooks of payment
 * providers, which have a signature instead (see test/http/provider-webhooks.test.ts).
 */
export const documents = [
  /^\/v1\/processors\/(stripe|mollie)\/webhook/,
  /^\/dashboard(\/?\*)?$/,
  /^\/docs(\/.*)?$/,
  /^\/llms[\w-]*\.txt$/,
  /^\/openapi\.json$/,
  /^\/(favicon\.(svg|ico)|robots\.txt)?$/,
  /^\/((docs|pay)\.(css|js)|signup\.js)$/,
  // Public: the slug of a payment link and the address of a logo grant nothing.
  /^\/(l\/\{\}|brand\/\{\}\/\{\})$/,
]
