// A proxy of ours on loopback that does to connections what networks do: it resets them, and loses
// what comes back.

import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net'

interface Pair {
  near: Socket
  far: Socket
  /** What comes back is thrown away from now on. */
  loses: boolean
}

export class TcpProxy {
  readonly #server: Server
  readonly #findTarget: () => Promise<NetConnectOpts>
  readonly #pairs = new Set<Pair>()
  port = 0

  constructor(findTarget: () => Promise<NetConnectOpts>) {
    this.#findTarget = findTarget
    this.#server = createServer((near) => this.#accept(near))
  }

  async listen(): Promise<void> {
    this.#server.listen({ host: '127.0.0.1', port: 0 })
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Some connections are lost in the middle of whatever they were doing. */
  reset(choose: () => boolean): number {
    const chosen = [...this.#pairs].filter(choose)
    for (const pair of chosen) cut(pair)
    return chosen.length
  }

  /** Requests still go through, answers do not: after a while the connections are lost. */
  async loseReplies(choose: () => boolean, for_ms: number): Promise<number> {
    const chosen = [...this.#pairs].filter(choose)
    for (const pair of chosen) pair.loses = true
    await new Promise((resolve) => setTimeout(resolve, for_ms))
    for (const pair of chosen) cut(pair)
    return chosen.length
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const pair of this.#pairs) close(pair)
    await closed
  }

  async #accept(near: Socket): Promise<void> {
    near.on('error', () => {})
    const target = await this.#findTarget().catch(() => undefined)
    if (target === undefined) return void near.resetAndDestroy()
    const far = createConnection(target)
    const pair: Pair = { near, far, loses: false }
    this.#pairs.add(pair)
    for (const socket of [near, far]) {
      socket.setNoDelay?.(true)
      socket.on('error', () => {})
      socket.on('close', () => close(pair))
    }
    near.on('close', () => this.#pairs.delete(pair))
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => pair.loses || near.write(data))
    near.on('end', () => far.end())
    far.on('end', () => near.end())
  }
}

/** By a reset on both sides: an end in good order is what a server that stops sends by itself. */
function cut({ near, far }: Pair): void {
  if (!near.destroyed) near.resetAndDestroy()
  if (!far.destroyed) far.resetAndDestroy()
}

function close({ near, far }: Pair): void {
  if (!near.destroyed) near.destroy()
  if (!far.destroyed) far.destroy()
}
