// Two server processes on one database. A write acknowledged by one process must be visible through
// the other, and no reader may see a status revert.

import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld } from '../test/simulation/clients/open-world.ts'
import { Sender } from '../test/simulation/clients/send.ts'
import type { Shop, World } from '../test/simulation/clients/world.ts'
import { readOptions } from '../test/simulation/options.ts'
import { openFleet } from '../test/simulation/servers/fleet.ts'
import type { Guard } from '../test/simulation/servers/guard-client.ts'
import type { Figure } from './figure.ts'

const lines = 16
// Limits the memory used; the oldest entries are dropped first.
const max_watched = 200

interface WatchedTransaction {
  id: string
  shop: Shop
  /** The final status that a client has seen. Every later read must return it. */
  ended: string | undefined
}

export async function crossProcessReads(guard: Guard, min_reads: number): Promise<Figure[]> {
  const log_path = join(tmpdir(), `florin-bench-${process.pid}.log`)
  const fleet = await openFleet(readOptions(['--instances', '2']), guard, log_path)
  for (const server of fleet.servers) await server.start()
  const sender = new Sender(
    fleet.servers.map(({ port }) => port),
    lines,
  )
  try {
    // Nothing listens on this port. The deliveries fail and are retried later.
    const world = await openWorld(sender, 'http://127.0.0.1:9/')
    const readers = new Readers(sender, world, min_reads)
    await Promise.all(Array.from({ length: lines }, (_, line) => readers.run(line)))
    const { reads, misses, reverted, unexpected, writes } = readers
    const details = { reads, writes, misses, reverted, unexpected: unexpected.slice(0, 10) }
    if (unexpected.length > 0) throw new Error(`unexpected responses: ${JSON.stringify(details)}`)
    const over = `in ${reads} reads over two processes`
    const common = { unit: 'count', max: 0, details } as const
    return [
      { ...common, name: `acknowledged writes missing, ${over}`, value: misses },
      { ...common, name: `statuses that reverted, ${over}`, value: reverted },
    ]
  } finally {
    await sender.close()
    await fleet.end()
    rmSync(log_path, { force: true })
  }
}

class Readers {
  readonly #sender: Sender
  readonly #world: World
  readonly #min_reads: number
  readonly #watched: WatchedTransaction[] = []
  readonly unexpected: string[] = []
  reads = 0
  writes = 0
  misses = 0
  reverted = 0

  constructor(sender: Sender, world: World, min_reads: number) {
    this.#sender = sender
    this.#world = world
    this.#min_reads = min_reads
  }

  async run(line: number): Promise<void> {
    const { shops } = this.#world
    const shop = shops[line % shops.length]!
    for (let round = 0; this.reads < this.#min_reads; round++) {
      const writer = round % 2
      const transaction = await this.#create(writer, shop)
      if (transaction === undefined) continue
      await this.#expectStatus(1 - writer, transaction, 'pending')
      await this.#readOthers(round)
      const ended = await this.#end(writer, transaction, round)
      if (ended !== undefined) await this.#expectStatus(1 - writer, transaction, ended)
      await this.#readOthers(round + line)
    }
  }

  async #create(server: number, shop: Shop): Promise<WatchedTransaction | undefined> {
    const body = { account_id: shop.account, amount: 100, currency: 'USD', type: 'payment' }
    const path = '/v1/transactions'
    const response = await this.#sender.send(server, {
      method: 'POST',
      path,
      token: shop.token,
      body,
    })
    if (response.status !== 201) {
      this.unexpected.push(`create: ${response.status} ${response.error}`)
      return undefined
    }
    this.writes += 1
    const transaction = { id: JSON.parse(response.text).id, shop, ended: undefined }
    this.#watched.push(transaction)
    if (this.#watched.length > max_watched) this.#watched.shift()
    return transaction
  }

  /** Cancels half of the payments and settles the rest. The worker may have settled one already. */
  async #end(
    server: number,
    transaction: WatchedTransaction,
    round: number,
  ): Promise<string | undefined> {
    const path = `/v1/transactions/${transaction.id}`
    const request =
      round % 4 < 2
        ? ({ method: 'DELETE', path, token: transaction.shop.token } as const)
        : ({
            method: 'POST',
            path: `${path}/settle`,
            token: this.#world.admin_token,
            body: { outcome: 'succeeded' },
          } as const)
    const response = await this.#sender.send(server, request)
    if (response.status === 409) return undefined
    if (response.status !== 200) {
      this.unexpected.push(`end: ${response.status} ${response.error}`)
      return undefined
    }
    this.writes += 1
    transaction.ended = JSON.parse(response.text).status
    return transaction.ended
  }

  async #expectStatus(
    server: number,
    transaction: WatchedTransaction,
    status: string,
  ): Promise<void> {
    const shown = await this.#read(server, transaction)
    // A pending transaction may have ended meanwhile. An ended one must keep its status.
    if (shown === undefined || (status !== 'pending' && shown !== status)) this.misses += 1
  }

  /** Reads transactions of other writers, through both processes. */
  async #readOthers(round: number): Promise<void> {
    for (const server of [0, 1]) {
      const transaction = this.#watched[(round * 7 + server) % this.#watched.length]
      if (transaction !== undefined) await this.#read(server, transaction)
    }
  }

  async #read(server: number, transaction: WatchedTransaction): Promise<string | undefined> {
    const expected = transaction.ended
    const path = `/v1/transactions/${transaction.id}`
    const response = await this.#sender.send(server, {
      method: 'GET',
      path,
      token: transaction.shop.token,
    })
    this.reads += 1
    if (response.status === 404) return undefined
    if (response.status !== 200) {
      this.unexpected.push(`read: ${response.status} ${response.error}`)
      return expected ?? 'pending'
    }
    const { status } = JSON.parse(response.text) as { status: string }
    if (expected !== undefined && status !== expected) this.reverted += 1
    if (status !== 'pending') transaction.ended ??= status
    return status
  }
}
