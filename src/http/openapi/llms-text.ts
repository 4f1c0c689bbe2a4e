// /llms.txt in the llmstxt.org format: a title, a summary and lists of links. /llms-full.txt has
// the linked pages in one file.

import { type ApiDescription, operationsOf } from './api-description.ts'
import type { Folder, Page } from './pages.ts'
import { referenceText } from './reference-text.ts'

const summary = [
  'Florin is a self-hosted payments back end: accounts, a double-entry ledger, payment requests',
  'with a hosted payment page, subscriptions, events and webhooks, on Node.js and PostgreSQL.',
].join(' ')

const advice = `
Amounts are integers in the currency's minor unit: 7500 is 75.00 USD. Times are UTC. Every error is
\`{"error": "code", "message": "what to do"}\`. Authenticate with \`Authorization: Bearer\` and an
API key (\`sk_sandbox_…\`, \`sk_live_…\`) or a user's access token. Send an \`Idempotency-Key\` with
every change: a retry with the same key and body is applied once and returns the same response.
`.trim()

export function llmsText(pages: Page[], api: ApiDescription, url: string): string {
  const linksTo = (folder: Folder) =>
    pages.filter((page) => page.folder === folder).map((page) => link(page, url))
  const endpoints = operationsOf(api).length
  return [
    `# Florin\n\n> ${summary}\n\n${advice}`,
    `## Guides\n\n${linksTo('guides').join('\n')}`,
    `## Concepts\n\n${linksTo('concepts').join('\n')}`,
    [
      '## Reference\n',
      `- [API reference](${url}/docs/reference.md): all ${endpoints} endpoints with their fields.`,
      `- [OpenAPI](${url}/openapi.json): the same as an OpenAPI 3.1 document.`,
      ...linksTo('reference'),
    ].join('\n'),
    [
      '## Optional\n',
      `- [Everything](${url}/llms-full.txt): guides, concepts and the reference in one file.`,
      `- [Decisions](${url}/docs/decisions/README.md): design decisions and their reasons.\n`,
    ].join('\n'),
  ].join('\n\n')
}

function link({ title, path, summary }: Page, url: string): string {
  return `- [${title}](${url}${path}): ${summary}`
}

export function llmsFullText(pages: Page[], api: ApiDescription): string {
  const included = pages.filter(({ folder }) => folder !== 'decisions')
  return [`# Florin\n\n> ${summary}\n\n${advice}\n`, ...included.map(({ text }) => text)]
    .concat(referenceText(api))
    .join('\n---\n\n')
}
