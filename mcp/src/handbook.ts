// The pages of the handbook as MCP resources, except the decision records.

import type { Page } from '../../src/http/openapi/pages.ts'

const type = 'text/markdown'

export function listResources(pages: Page[]) {
  return offered(pages).map((page) => ({
    uri: uriOf(page),
    name: `${page.folder}/${page.name}`,
    title: page.title,
    description: page.summary,
    mimeType: type,
  }))
}

export function findResource(pages: Page[], uri: unknown) {
  const page = offered(pages).find((one) => uriOf(one) === uri)
  return page && { uri: uriOf(page), mimeType: type, text: page.text }
}

function offered(pages: Page[]): Page[] {
  return pages.filter(({ folder }) => folder !== 'decisions')
}

function uriOf({ path }: Page): string {
  return `florin:/${path}`
}
