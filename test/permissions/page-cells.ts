// What people reach with a browser besides the API: which kinds of link there are to try at each
// page, and what is the same file for everybody.

/** Whoever has the link may, so a link is live or not, and never somebody else's. */
const links = ['live', 'ended', 'unknown', 'badid']

export const pages: Record<string, string[]> = {
  'GET /pay/{}': links,
  'POST /pay/{}': links,
  'GET /setup/{}': links,
  'POST /setup/{}': links,
  'GET /confirm-email/{}': links,
  'POST /confirm-email/{}': links,
  // A bearer token is no cookie: it opens nothing here, whosoever it is.
  'GET /dashboard/api/session': ['no_cookie'],
  'POST /dashboard/api/session': ['no_cookie'],
  'DELETE /dashboard/api/session': ['no_cookie'],
}

/** Files and documents, which ask nobody who they are. */
export const documents = [
  /^\/dashboard(\/?\*)?$/,
  /^\/docs(\/|\/scalar\.js)?$/,
  /^\/(docs\/.+|index)\.md$/,
  /^\/llms[\w-]*\.txt$/,
  /^\/openapi\.json$/,
  /^\/favicon\.svg$/,
  /^\/pay\.(css|js)$/,
]
