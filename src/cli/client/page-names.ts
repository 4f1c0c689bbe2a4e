/** Pages of `florin open`. Separate from the command, because the help lists them. */
export const pages: Record<string, string> = {
  dashboard: '/dashboard',
  docs: '/docs',
  openapi: '/openapi.json',
  health: '/readyz',
}

export const pageNames = Object.keys(pages)
