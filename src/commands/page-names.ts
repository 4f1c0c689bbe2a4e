/** What `florin open` can open. A file of its own: the command line names them without loading. */
export const pages: Record<string, string> = {
  dashboard: '/dashboard',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/readyz',
}

export const pageNames = Object.keys(pages)
