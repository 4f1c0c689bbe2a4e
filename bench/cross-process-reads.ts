// Two processes on one database: whoever reads at the other one what was just acknowledged finds
// it, and nobody sees a status go back.

import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorld } from '../test/simulation/clients/open-world.ts'
import { Sender } from '../test/simulation/clients/send.ts'
import type { Shop, World } from '../test/simulation/clients/world.ts'
import { readOptions } from '../test/simulation/options.ts'
import { openFleet } from '../test/simulation/servers/fleet.ts'
import type { Guard } from '../test/simulation/servers/guard-client.ts'
import type { Figure } from './run.ts'

const lines = 16
// A transaction ends once, so pending is the only status that another may follow.
const watched_max = 200

interface Watched {
  id: string
  shop: Shop
  /** Somebody was told so: every read that begins later must show it. */
  ended: string | undefined
}

export async function crossProcessReads(guard: Guard, reads_least: number): Promise<Figure[]> {
  const log_path = join(tmpdir(), `florin-bench-${process.pid}.log`)
  const fleet = await openFleet(readOptions(['--instances', '2']), guard, log_path)
  for (const server of fleet.servers) await server.start()
  const sender = new Sender(
    fleet.servers.map(({ port }) => port),
    lines,
  )
  try {
    // Nobody listens there; what is not taken is tried again later.
    const world = await openWorld(sender, 'http://127.0.0.1:9/')
    const readers = new Readers(sender, world, reads_least)
    await Promise.all(Array.from({ length: lines }, (_, line) => readers.run(line)))
    const { reads, misses, backwards, strange, writes } = readers
    const details = { reads, writes, misses, backwards, strange: strange.slice(0, 10) }
    if (strange.length > 0) throw new Error(`responses were wrong: ${JSON.stringify(details)}`)
    const over = `in ${reads} reads over two processes`
    const common = { unit: 'count', most: 0, details } as const
    return [
      { ...common, name: `writes that their writer did not find, ${over}`, value: misses },
      { ...common, name: `statuses that went back, ${over}`, value: backwards },
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
  readonly #reads_least: number
  readonly #watched: Watched[] = []
  readonly strange: string[] = []
  reads = 0
  writes = 0
  misses = 0
  backwards = 0

  constructor(sender: Sender, world: World, reads_least: number) {
    this.#sender = sender
    this.#world = world
    this.#reads_least = reads_least
  }

  async run(line: number): Promise<void> {
    const { shops } = this.#world
    const shop = shops[line % shops.length]!
    for (let round = 0; this.reads < this.#reads_least; round++) {
      const writer = round % 2
      const made = await this.#create(writer, shop)
      if (made === undefined) continue
      await this.#mustShow(1 - writer, made, 'pending')
      await this.#lookAround(round)
      const ended = await this.#end(writer, made, round)
      if (ended !== undefined) await this.#mustShow(1 - writer, made, ended)
      await this.#lookAround(round + line)
    }
  }

  async #create(server: number, shop: Shop): Promise<Watched | undefined> {
    const body = { account_id: shop.account, amount: 100, currency: 'USD', type: 'payment' }
    const path = '/v1/transactions'
    const response = await this.#sender.send(server, {
      method: 'POST',
      path,
      token: shop.token,
      body,
    })
    if (response.status !== 201) {
      this.strange.push(`create: ${response.status} ${response.error}`)
      return undefined
    }
    this.writes += 1
    const made = { id: JSON.parse(response.text).id, shop, ended: undefined }
    this.#watched.push(made)
    if (this.#watched.length > watched_max) this.#watched.shift()
    return made
  }

  /** Half are canceled, half are settled; the worker may have been faster. */
  async #end(server: number, made: Watched, round: number): Promise<string | undefined> {
    const path = `/v1/transactions/${made.id}`
    const request =
      round % 4 < 2
        ? ({ method: 'DELETE', path, token: made.shop.token } as const)
        : ({
            method: 'POST',
            path: `${path}/settle`,
            token: this.#world.admin_token,
            body: { outcome: 'succeeded' },
          } as const)
    const response = await this.#sender.send(server, request)
    if (response.status === 409) return undefined
    if (response.status !== 200) {
      this.strange.push(`end: ${response.status} ${response.error}`)
      return undefined
    }
    this.writes += 1
    made.ended = JSON.parse(response.text).status
    return made.ended
  }

  async #mustShow(server: number, made: Watched, status: string): Promise<void> {
    const shown = await this.#read(server, made)
    // A pending one may have ended meanwhile; one that ended stays so.
    if (shown === undefined || (status !== 'pending' && shown !== status)) this.misses += 1
  }

  /** Things of others, at both processes. */
  async #lookAround(round: number): Promise<void> {
    for (const server of [0, 1]) {
      const made = this.#watched[(round * 7 + server) % this.#watched.length]
      if (made !== undefined) await this.#read(server, made)
    }
  }

  async #read(server: number, made: Watched): Promise<string | undefined> {
    const known = made.ended
    const path = `/v1/transactions/${made.id}`
    const response = await this.#sender.send(server, {
      method: 'GET',
      path,
      token: made.shop.token,
    })
    this.reads += 1
    if (response.status === 404) return undefined
    if (response.status !== 200) {
      this.strange.push(`read: ${response.status} ${response.error}`)
      return known ?? 'pending'
    }
    const { status } = JSON.parse(response.text) as { status: string }
    if (known !== undefined && status !== known) this.backwards += 1
    if (status !== 'pending') made.ended ??= status
    return status
  }
}
