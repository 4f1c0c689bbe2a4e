// florin import transactions: creates the transactions of a CSV file in bulk requests. The keys of
// the requests follow from the file, so an import that was interrupted can be run again.

import { readFile } from 'node:fs/promises'
import { type Florin, FlorinError } from '../../../client/src/florin.ts'
import { sha256 } from '../../primitives/secrets.ts'
import { ApiFailure, Interrupted, UsageError } from '../failures.ts'
import { readStdinBytes } from '../read-stdin.ts'
import { quoteIfNeeded } from '../shell-word.ts'
import { listenForStop } from '../stop-signals.ts'
import { formatNumber, print, printJson, progressBar, symbols } from '../terminal.ts'
import { type Api, type ApiOptions, withLogin } from './api.ts'
import { decodeCsv } from './csv.ts'
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

interface BulkResult {
  items: ItemResult[]
  /** The server sent the response of an earlier request with the same key. */
  is_replay: boolean
}

export async function importTransactions(file: string, options: ImportCommand): Promise<void> {
  const text = decodeCsv(await (file === '-' ? readStdinBytes() : readFile(file)))
  const lines = readTransactions(text)
  if (lines.length === 0) throw new UsageError('The file has no transactions after its first line.')
  const name = options.idempotencyKey ?? sha256(text).toString('hex')
  requireIdempotencyKey(keyOf(name, lines.at(-1)!))
  await withLogin(options, async (florin, api) => {
    const account_id = api.account ?? (await findAccountId(florin, api))
    await new Import(florin, api, { account_id, name, total: lines.length }, options).run(lines)
  })
}

/** The caller's account. A key that may only create transactions cannot read it. */
async function findAccountId(florin: Florin, { url }: Api): Promise<string> {
  try {
    return (await florin.account.get()).id
  } catch (error) {
    if (!(error instanceof FlorinError && error.message.includes('accounts:read'))) throw error
    const { failure } = explainError(error, url)
    throw new ApiFailure({ ...failure, next: 'add --account acct_…, the account of the key' })
  }
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
  readonly #stop = listenForStop()
  #created = 0
  #created_before = 0
  #failed = 0

  constructor(florin: Florin, api: Api, plan: ImportPlan, { json }: ImportCommand) {
    this.#florin = florin
    this.#api = api
    this.#plan = plan
    this.#is_json = json === true
  }

  async run(lines: ImportedLine[]): Promise<void> {
    try {
      this.#showProgress()
      for (const some of inRequests(lines)) {
        this.#report(some, await this.#send(some))
        this.#showProgress()
      }
    } finally {
      this.#stop.release()
      if (!this.#is_json) this.#bar.clear()
    }
    this.#end()
  }

  #showProgress(): void {
    const done = this.#created + this.#created_before + this.#failed
    if (!this.#is_json) this.#bar.move(done, this.#plan.total)
  }

  async #send(lines: ImportedLine[]): Promise<BulkResult> {
    const { account_id, name } = this.#plan
    const { signal } = this.#stop
    const transactions = lines.map(({ transaction }) => transaction)
    const body = { account_id, transactions, atomic: false }
    try {
      const options = { body, idempotency_key: keyOf(name, lines[0]!), retries_max, signal }
      const response = await this.#florin.request('POST', '/v1/transactions/bulk', options)
      const is_replay = response.headers.get('idempotent-replayed') === 'true'
      return { items: JSON.parse(response.text).data, is_replay }
    } catch (error) {
      if (signal.aborted) throw this.#interrupted(lines)
      throw error instanceof FlorinError ? this.#explain(error, lines) : error
    }
  }

  #interrupted([first]: ImportedLine[]): Interrupted {
    return new Interrupted(
      `Interrupted at line ${first!.line}. Run the same command again to continue; transactions ` +
        'are not created twice.',
    )
  }

  #explain(error: FlorinError, lines: ImportedLine[]): ApiFailure {
    const { failure } = explainError(error, this.#api.url)
    const at = /^"transactions\.(\d+)/.exec(error.message)?.[1]
    const cause = at === undefined ? '' : `Line ${lines[Number(at)]?.line} is invalid. `
    const what = error.outcome_unknown ? 'may have been imported' : 'were not imported'
    const where = `Lines ${lines[0]!.line} to ${lines.at(-1)!.line} ${what}`
    const before = `${were(this.#created + this.#created_before)} created before`
    const next = this.#nextStep(error, failure.next)
    return new ApiFailure({
      ...failure,
      message: `${cause}${where}; ${before}. ${failure.message}`,
      ...(next !== undefined && { next }),
    })
  }

  /** `usual` is the next step after this error in other commands. */
  #nextStep(error: FlorinError, usual: string | undefined): string | undefined {
    if (!isFinal(error)) return 'run the same command again; transactions are not created twice'
    if (error.status !== 400 || this.#created + this.#created_before === 0) return usual
    // A corrected file has other keys, which would create the lines before again.
    return (
      'correct the file without changing the lines before, and import it with ' +
      `--idempotency-key ${quoteIfNeeded(this.#plan.name)}; transactions are not created twice`
    )
  }

  #report(lines: ImportedLine[], { items, is_replay }: BulkResult): void {
    for (const [at, { line }] of lines.entries()) {
      const error = items[at]?.error
      if (error !== undefined) this.#reportRejected(line, error)
      else if (is_replay) this.#created_before += 1
      else this.#created += 1
    }
  }

  #reportRejected(line: number, error: { error: string; message: string }): void {
    this.#failed += 1
    if (this.#is_json) {
      printJson({ line, ...error })
    } else {
      this.#bar.clear()
      process.stderr.write(`line ${line}: ${error.error}: ${error.message}\n`)
    }
  }

  #end(): void {
    const created = this.#created
    const created_before = this.#created_before
    const failed = this.#failed
    if (this.#is_json) printJson({ created, created_before, failed })
    else if (created + created_before > 0) print(`${symbols.ok} ${this.#summary()}\n`)
    if (failed === 0) return
    throw new ApiFailure({
      error: 'import_incomplete',
      message: `Rejected lines: ${formatNumber(failed)} of ${formatNumber(this.#plan.total)}.`,
      next:
        'correct them in a new file and import that one; a changed copy of this file ' +
        'would create its other lines again',
    })
  }

  #summary(): string {
    const created = `Created ${transactions(this.#created)}.`
    if (this.#created_before === 0) return created
    const before = `${created} ${were(this.#created_before)} created before.`
    if (this.#created + this.#failed > 0) return before
    return `${before} To import the file again, pass another --idempotency-key.`
  }
}

/** Whether the same request would be rejected again. */
function isFinal({ status = 0, code }: FlorinError): boolean {
  // 409: the first request with this key is in progress. 422: the key was used for another one.
  const is_waiting = status === 429 || (status === 409 && code === 'idempotency_conflict')
  return status >= 400 && status < 500 && !is_waiting
}

function transactions(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'transaction' : 'transactions'}`
}

function were(count: number): string {
  return `${formatNumber(count)} ${count === 1 ? 'was' : 'were'}`
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
