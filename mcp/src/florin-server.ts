// The Florin server behind the tools. Its API description and handbook are loaded on first use and
// kept: both change only with the server's version.

import { Florin, FlorinError, verdictOf } from '../../client/src/florin.ts'
import { type Tool, toolsOf } from './tools.ts'

export interface ServerOptions {
  url: string
  /** An API key or an access token; undefined sends unauthenticated requests. */
  credential: string | undefined
  account: string | undefined
  /** Of one attempt. Default: 15 000 ms. */
  timeout_ms?: number
}

/** A page of the handbook, as an MCP resource. */
interface Page {
  uri: string
  name: string
  title: string
  description: string
  mimeType: 'text/markdown'
}

// Longer than the server's request timeout.
const default_timeout_ms = 15_000

export class FlorinServer {
  readonly url: string
  readonly florin: Florin
  readonly #credential: string | undefined
  /** Documentation needs no credential. */
  readonly #anonymous: Florin
  readonly #timeout_ms: number
  #tools: Map<string, Tool> | undefined
  #pages: Page[] | undefined

  constructor({ url, credential, account, timeout_ms = default_timeout_ms }: ServerOptions) {
    this.url = url
    this.#credential = credential
    this.#timeout_ms = timeout_ms
    // A restart of the server breaks connections; one retry covers it.
    const options = { base_url: url, timeout_ms, retries_max: 1 }
    this.#anonymous = new Florin(options)
    // An access token is sent like a key: the process cannot refresh it.
    const credentials = credential === undefined ? {} : { api_key: credential }
    this.florin = new Florin({ ...options, ...credentials, account })
  }

  /** By name. */
  async tools(signal: AbortSignal): Promise<Map<string, Tool>> {
    if (this.#tools === undefined) {
      const { text } = await this.#anonymous.request('GET', '/openapi.json', { signal })
      this.#tools = new Map(toolsOf(JSON.parse(text)).map((tool) => [tool.listing.name, tool]))
    }
    return this.#tools
  }

  /** Guides, concepts and reference, as listed in /llms.txt. */
  async pages(signal: AbortSignal): Promise<Page[]> {
    if (this.#pages === undefined) {
      const { text } = await this.#anonymous.request('GET', '/llms.txt', { signal })
      this.#pages = readPages(text)
    }
    return this.#pages
  }

  async readPage({ uri }: Page, signal: AbortSignal): Promise<string> {
    const path = uri.slice('florin:/'.length)
    return (await this.#anonymous.request('GET', path, { signal })).text
  }

  /** The API never returns the credential. This guards against a proxy that does. */
  withoutCredential(text: string): string {
    return this.#credential === undefined ? text : text.replaceAll(this.#credential, '[credential]')
  }

  /** What went wrong, and what to do. */
  explain(error: FlorinError): string {
    const { code, status, message, request_id, cause } = error
    // The response to the retry is more specific than the lost connection before it.
    if (cause instanceof FlorinError) return this.explain(cause)
    if (code === 'timed_out') {
      return `No response from ${this.url} within ${this.#timeout_ms / 1_000} s.`
    }
    if (code === 'connection_failed') return this.#explainConnection(error)
    if (code !== 'unexpected_response') {
      return `${status} ${code}: ${message}${request_id ? ` (${request_id})` : ''}`
    }
    return status !== undefined && status >= 300 && status < 400
      ? `${this.url} returned a redirect (${status}). Set --url to its target.`
      : `${status} The response is not from Florin. Check --url.`
  }

  #explainConnection(error: FlorinError): string {
    const inner = (error.cause as Error | undefined)?.cause as { code?: string } | undefined
    const reason = inner?.code ?? 'unknown reason'
    return verdictOf(error).outcome === 'not_sent'
      ? `Cannot reach Florin at ${this.url} (${reason}). Start it, or set --url.`
      : `The connection to ${this.url} was lost (${reason}).`
  }
}

const page_link = /^- \[(.+?)\]\(\S*?\/docs\/((?:guides|concepts|reference)\/[\w-]+)\.md\): (.+)$/gm

function readPages(llms_text: string): Page[] {
  return [...llms_text.matchAll(page_link)].map((match) => {
    const [, title = '', name = '', description = ''] = match
    return { uri: `florin://docs/${name}.md`, name, title, description, mimeType: 'text/markdown' }
  })
}
