// florin mcp: serves the API as tools for AI models over stdin and stdout. Only protocol messages
// are written to stdout.

import { serveMcp } from '../../../mcp/src/serve.ts'
import { type ClientSettings, readClientSettings } from '../../config.ts'
import { findUuid } from '../../primitives/ids.ts'
import { version } from '../../version.ts'
import { whenPipeCloses } from '../closed-pipe.ts'
import { UsageError } from '../failures.ts'
import { readAddress } from '../read-address.ts'
import { requireApiKey, requireToken } from './header-values.ts'

export interface McpCommand {
  url?: string
  key?: string
  token?: string
  account?: string
  allowWrites?: true
  json?: true
}

export async function runMcp(options: McpCommand): Promise<void> {
  const settings = readClientSettings()
  const server = {
    url: readUrl(options, settings),
    credential: readCredential(options, settings),
    account: readAccount(options.account),
  }
  // The client has disconnected.
  whenPipeCloses(() => process.exit(0))
  await serveMcp({
    input: process.stdin,
    write: (line) => process.stdout.write(line),
    server,
    allow_writes: options.allowWrites === true,
    version,
  })
}

function readUrl(options: McpCommand, { server_url, local_url }: ClientSettings): string {
  if (options.url === undefined) return server_url ?? local_url
  const address = readAddress(options.url)
  if (address !== undefined) return address
  throw new UsageError('--url must be an http or https URL such as https://pay.example.com.')
}

// With an unset variable, --key "$KEY" is empty and would silently override FLORIN_API_KEY.
function readCredential(
  { token, key }: McpCommand,
  { api_key }: ClientSettings,
): string | undefined {
  for (const [name, value] of Object.entries({ token, key })) {
    if (value?.trim() !== '') continue
    throw new UsageError(`--${name} must not be empty. Set a value or omit it.`)
  }
  if (token !== undefined) return requireToken('--token', token)
  if (key !== undefined) return requireApiKey('--key', key)
  return api_key === undefined ? undefined : requireApiKey('FLORIN_API_KEY', api_key)
}

function readAccount(account: string | undefined): string | undefined {
  if (account === undefined || findUuid('account', account) !== undefined) return account
  throw new UsageError('--account must be an account id (acct_…).')
}
