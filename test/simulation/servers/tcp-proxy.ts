// A loopback proxy that simulates network failures: it resets connections and drops responses.

import { once } from 'node:events'
import {
  type AddressInfo,
  createConnection,
  createServer,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net'

interface ProxiedConnection {
  client: Socket
  target: Socket
  /** Drops everything that the target sends. */
  drops_responses: boolean
}

export class TcpProxy {
  readonly #server: Server
  readonly #findTarget: () => Promise<NetConnectOpts>
  readonly #connections = new Set<ProxiedConnection>()
  port = 0

  constructor(findTarget: () => Promise<NetConnectOpts>) {
    this.#findTarget = findTarget
    this.#server = createServer((client) => this.#accept(client))
  }

  async listen(): Promise<void> {
    this.#server.listen({ host: '127.0.0.1', port: 0 })
    await once(this.#server, 'listening')
    this.port = (this.#server.address() as AddressInfo).port
  }

  /** Resets the chosen connections, whatever they are doing. */
  reset(choose: () => boolean): number {
    const chosen = [...this.#connections].filter(choose)
    for (const connection of chosen) cut(connection)
    return chosen.length
  }

  /** Forwards requests but drops responses, then resets the connections. */
  async loseReplies(choose: () => boolean, for_ms: number): Promise<number> {
    const chosen = [...this.#connections].filter(choose)
    for (const connection of chosen) connection.drops_responses = true
    await new Promise((resolve) => setTimeout(resolve, for_ms))
    for (const connection of chosen) cut(connection)
    return chosen.length
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#connections) close(connection)
    await closed
  }

  async #accept(client: Socket): Promise<void> {
    client.on('error', () => {})
    const address = await this.#findTarget().catch(() => undefined)
    if (address === undefined) return void client.resetAndDestroy()
    const target = createConnection(address)
    const connection: ProxiedConnection = { client, target, drops_responses: false }
    this.#connections.add(connection)
    for (const socket of [client, target]) {
      socket.setNoDelay?.(true)
      socket.on('error', () => {})
      socket.on('close', () => close(connection))
    }
    client.on('close', () => this.#connections.delete(connection))
    client.on('data', (data) => target.write(data))
    target.on('data', (data) => connection.drops_responses || client.write(data))
    client.on('end', () => target.end())
    target.on('end', () => client.end())
  }
}

/** Resets both sides. A graceful close would look like a server that is shutting down. */
function cut({ client, target }: ProxiedConnection): void {
  for (const socket of [client, target]) {
    if (socket.destroyed) continue
    // The embedded database has a Unix socket, which cannot be reset.
    if (socket.remoteAddress === undefined) socket.destroy()
    else socket.resetAndDestroy()
  }
}

function close({ client, target }: ProxiedConnection): void {
  if (!client.destroyed) client.destroy()
  if (!target.destroyed) target.destroy()
}
