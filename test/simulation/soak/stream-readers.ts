// Event stream clients that connect, read for a while, and disconnect without closing properly.

import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SoakWorld } from './soak-world.ts'

const readers_count = 20

export class StreamReaders {
  readonly #world: SoakWorld
  readonly #port: number
  readonly #ending = new AbortController()
  #lines: Promise<void>[] = []
  opened = 0
  received = 0
  failed = 0

  constructor(world: SoakWorld, port: number) {
    this.#world = world
    this.#port = port
  }

  start(): void {
    this.#lines = Array.from({ length: readers_count }, () => this.#reconnect())
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#lines)
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      const response = await this.#open()
      await sleep(3_000 + this.#world.random.below(20_000), undefined, { signal }).catch(() => {})
      response?.destroy()
    }
  }

  #open(): Promise<IncomingMessage | undefined> {
    const headers = { authorization: `Bearer ${this.#world.shop().key}` }
    const options = { host: '127.0.0.1', port: this.#port, path: '/v1/events/stream', headers }
    return new Promise((resolve) => {
      const fail = () => {
        this.failed += 1
        resolve(undefined)
      }
      get({ ...options, agent: false }, (response) => {
        if (response.statusCode !== 200) return fail()
        this.opened += 1
        response.on('data', (chunk: Buffer) => {
          this.received += chunk.length
        })
        response.on('error', () => {})
        resolve(response)
      }).on('error', fail)
    })
  }
}
