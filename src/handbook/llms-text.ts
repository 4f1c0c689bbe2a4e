// /llms.txt in the form of llmstxt.org: a title, a summary, and lists of links, so that a machine
// that reads finds what it needs without walking through pages. /llms-full.txt is all at once.

import { type ApiDescription, operationsOf } from './api-description.ts'
import type { Folder, Page } from './pages.ts'
import { referenceText } from './reference-text.ts'

const summary = [
  'Florin is a payments back end in one command: sessions, users, accounts, transactions,',
  'payment requests, subscriptions, events and webhooks over a double-entry ledger on PostgreSQL.',
].join(' ')

const advice = `
Amounts are integers in the currency's minor unit: 7500 is 75.00 USD. Times are UTC. Every error is
\`{"error": "code", "message": "what to do"}\`. Authenticate with \`Authorization: Bearer\` and an
API key (\`sk_sandbox_…\`, \`sk_live_…\`) or a person's access token. Send an
\`Idempotency-Key\` with every change: the same key and body give the same response and one effect.
`.trim()

export function llmsText(pages: Page[], api: ApiDescription, url: string): string {
  const linksTo = (folder: Folder) =>
    pages.filter((page) => page.folder === folder).map((page) => link(page, url))
  const calls = operationsOf(api).length
  return [
    `# Florin\n\n> ${summary}\n\n${advice}`,
    `## Guides\n\n${linksTo('guides').join('\n')}`,
    `## Concepts\n\n${linksTo('concepts').join('\n')}`,
    [
      '## API\n',
      `- [Reference](${url}/docs/reference.md): all ${calls} calls with their fields, as Markdown.`,
      `- [OpenAPI](${url}/openapi.json): the same as OpenAPI 3.1, for programs.`,
    ].join('\n'),
    [
      '## Optional\n',
      `- [Everything](${url}/llms-full.txt): guides, concepts and reference in one file.`,
      `- [Decisions](${url}/docs/decisions/README.md): why Florin is as it is.\n`,
    ].join('\n'),
  ].join('\n\n')
}

function link({ title, path, summary }: Page, url: string): string {
  return `- [${title}](${url}${path}): ${summary}`
}

export function llmsFullText(pages: Page[], api: ApiDescription): string {
  const told = pages.filter(({ folder }) => folder !== 'decisions')
  return [`# Florin\n\n> ${summary}\n\n${advice}\n`, ...told.map(({ text }) => text)]
    .concat(referenceText(api))
    .join('\n---\n\n')
}
