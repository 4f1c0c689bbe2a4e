#!/usr/bin/env node
// The command of the published package: the MCP server without the rest of Florin. `florin mcp` is
// the same with the settings of the command line.

import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { serveMcp } from './serve.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

const help = `Usage: florin-mcp [options]

Serves the API of a Florin server as tools for AI models (MCP), over stdin and stdout.

  --url <url>       Server URL; default: FLORIN_SERVER, or http://127.0.0.1:4000
  --account <id>    Account to act for, as an admin or platform user
  --allow-writes    Also offer tools that make changes; read-only otherwise
  --version         Print the version
  -h, --help        Print this help

Set FLORIN_API_KEY to an API key. Without one, requests are unauthenticated.
`

class UsageError extends Error {}

try {
  await run()
} catch (error) {
  const { code, message } = error as Error & { code?: string }
  const is_usage = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')
  if (!is_usage) throw error
  process.stderr.write(`${message}\nRun: florin-mcp --help\n`)
  // EX_USAGE of BSD's sysexits.h, as in `florin`.
  process.exitCode = 64
}

async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      account: { type: 'string' },
      'allow-writes': { type: 'boolean', default: false },
      version: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help || values.version) {
    process.stdout.write(values.help ? help : `${version}\n`)
    return
  }
  const { FLORIN_SERVER, FLORIN_API_KEY } = process.env
  const server = {
    url: readUrl(values.url ?? (FLORIN_SERVER || 'http://127.0.0.1:4000')),
    credential: readKey(FLORIN_API_KEY),
    account: readAccount(values.account),
  }
  // The client has disconnected.
  process.stdout.on('error', () => process.exit(0))
  await serveMcp({
    input: process.stdin,
    write: (line) => process.stdout.write(line),
    server,
    allow_writes: values['allow-writes'],
    version,
  })
}

function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))
    return text.replace(/\/+$/, '')
  throw new UsageError(
    `--url must be an http or https URL such as https://pay.example.com; got "${text}".`,
  )
}

/** The message does not repeat the value: it may be another secret. */
function readKey(text: string | undefined): string | undefined {
  const key = text?.trim()
  if (!key || /^sk_(sandbox|live)_[A-Za-z0-9_-]{16,}$/.test(key)) return key || undefined
  throw new UsageError(
    'FLORIN_API_KEY must be an API key, sk_sandbox_… or sk_live_…. Create one in the dashboard.',
  )
}

function readAccount(text: string | undefined): string | undefined {
  if (text === undefined || /^acct_[0-9a-z]{26}$/.test(text)) return text
  throw new UsageError(`--account must be an account id such as acct_…; got "${text}".`)
}
