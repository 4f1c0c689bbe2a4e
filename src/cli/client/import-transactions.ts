// florin import transactions: creates the transactions of a CSV file in bulk requests. The keys of
// the requests follow from the file, so an import that was interrupted can be run again.

import { readFile } from 'node:fs/promises'
import { type Florin, FlorinError } from '../../../client/src/florin.ts'
import { sha256 } from '../../primitives/secrets.ts'
import { ApiFailure, UsageError } from '../failures.ts'
import { readStdin } from '../read-stdin.ts'
import { quoteIfNeeded } from '../shell-word.ts'
import { formatNumber, print, printJson, progressBar, symbols } from '../terminal.ts'
import { type Api, type ApiOptions, withLogin } from './api.ts'
import { explainError } from './explain-error.ts'
import { requireIdempotencyKey } from './header-values.ts'
import { type ImportedLine, readTransactions } from './read-transactions.ts'

export interface ImportCommand extends ApiOptions {
  idempotencyKey?: string
}

// At the default rate limit, one second of requests.
const items_per_request = 100
// Below the server's limit for a body, with room for the other fields.
const bytes_per_request = 1_000_000
// The server may be busy, or the rate limit reached, for a while.
const retries_max = 20

interface ItemResult {
  error?: { error: string; message: string }
}

export async function importTransactions(file: string, options: ImportCommand): Promise<void> {
  const text = file === '-' ? await readStdin() : await readFile(file, 'utf8')
  const lines = readTransactions(text)
  if (lines.length === 0) throw new UsageError('The file has no transactions after its first line.')
  const name = options.idempotencyKey ?? sha256(text).toString('hex')
  requireIdempotencyKey(keyOf(name, lines.at(-1)!))
  await withLogin(options, async (florin, api) => {
    const account_id = api.account ?? (await florin.account.get()).id
    await new Import(florin, api, { account_id, name, total: lines.length }, options).run(lines)
  })
}

/** The key of the request that starts with this line. */
function keyOf(name: string, { line }: ImportedLine): string {
  return `${name}-${line}`
}

interface ImportPlan {
  account_id: string
  /** Part of the Idempotency-Key of each request. */
  name: string
  total: number
}

class Import {
  readonly #florin: Florin
  readonly #api: Api
  readonly #plan: ImportPlan
  readonly #is_json: boolean
  readonly #bar = progressBar('Importing', 'transactions')
  #created = 0
  #failed = 0

  constructor(florin: Florin, api: Api, plan: ImportPlan, { json }: ImportCommand) {
    this.#florin = florin
    this.#api = api
    this.#plan = plan
    this.#is_json = json === true
  }

  async run(lines: ImportedLine[]): Promise<void> {
    try {
      for (const some of inRequests(lines)) {
        this.#report(some, await this.#send(some))
        if (!this.#is_json) this.#bar.move(this.#created + this.#failed, this.#plan.total)
      }
    } finally {
      if (!this.#is_json) this.#bar.clear()
    }
    this.#end()
  }

  async #send(lines: ImportedLine[]): Promise<ItemResult[]> {
    const { account_id, name } = this.#plan
    const transactions = lines.map(({ transaction }) => transaction)
    const body = { account_id, transactions, atomic: false }
    try {
      const options = { body, idempotency_key: keyOf(name, lines[0]!), retries_max }
      const { text } = await this.#florin.request('POST', '/v1/transactions/bulk', options)
      return JSON.parse(text).data
    } catch (error) {
      throw error instanceof FlorinError ? this.#explain(error, lines) : error
    }
  }

  #explain(error: FlorinError, lines: ImportedLine[]): ApiFailure {
    const { failure } = explainError(error, this.#api.url)
    const at = /^"transactions\.(\d+)/.exec(error.message)?.[1]
    const cause = at === undefined ? '' : `Line ${lines[Number(at)]?.line} is invalid. `
    const where = `${cause}Lines ${lines[0]!.line} to ${lines.at(-1)!.line} were not imported`
    const before = `${formatNumber(this.#created)} transactions were created before`
    const next = this.#nextStep(error, failure.next)
    return new ApiFailure({
      ...failure,
      message: `${where}; ${before}. ${failure.message}`,
      ...(next !== undefined && { next }),
    })
  }

  /** `usual` is the next step after this error in other commands. */
  #nextStep({ status = 0 }: FlorinError, usual: string | undefined): string | undefined {
    if (status === 0 || status === 429 || status >= 500) {
      return 'run the same command again; transactions are not created twice'
    }
    if (this.#created === 0 || status !== 400) return usual
    // Without the key, a corrected file would have other keys and create the first lines again.
    const key = quoteIfNeeded(this.#plan.name)
    return (
      `correct the file without changing the lines before, and import it with ` +
      `--idempotency-key ${key}; transactions are not created twice`
    )
  }

  #report(lines: ImportedLine[], results: ItemResult[]): void {
    for (const [at, { line }] of lines.entries()) {
      const error = results[at]?.error
      if (error === undefined) {
        this.#created += 1
        continue
      }
      this.#failed += 1
      if (this.#is_json) printJson({ line, ...error })
      else {
        this.#bar.clear()
        process.stderr.write(`line ${line}: ${error.error}: ${error.message}\n`)
      }
    }
  }

  #end(): void {
    const created = this.#created
    const failed = this.#failed
    if (this.#is_json) printJson({ created, failed })
    else if (created > 0) print(`${symbols.ok} Created ${formatNumber(created)} transactions.\n`)
    if (failed === 0) return
    throw new ApiFailure({
      error: 'import_incomplete',
      message: `${formatNumber(failed)} of ${formatNumber(this.#plan.total)} lines were rejected.`,
      next: 'correct these lines in a new file and import that one',
    })
  }
}

/** Splits lines into requests, by their number and by their length. */
function* inRequests(lines: ImportedLine[]): Generator<ImportedLine[]> {
  let some: ImportedLine[] = []
  let bytes = 0
  for (const item of lines) {
    const length = Buffer.byteLength(JSON.stringify(item.transaction)) + 1
    const is_full = some.length === items_per_request || bytes + length > bytes_per_request
    if (is_full && some.length > 0) {
      yield some
      some = []
      bytes = 0
    }
    some.push(item)
    bytes += length
  }
  if (some.length > 0) yield some
}
