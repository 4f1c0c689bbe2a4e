import { setTimeout as sleep } from 'node:timers/promises'
import { acquireServer, type OwnedServer } from './acquire-server.ts'
import { isDiskFull } from './explain-failure.ts'
import { diskFullMessage } from './prepare-home.ts'
import type { ServerStartOptions } from './start-server.ts'
import { stopServer } from './stop-server.ts'

// First at once, since nearly every crash is over with the next start; then slower, so that a
// server that cannot start does not fill the log.
const pauses_ms = [0, 200, 1_000, 5_000]

/**
 * Holds a server for the life of the process. When the connection with the owner lock is lost, it
 * is made anew; when the server itself has died, it is started again on the same socket.
 */
export function superviseServer(
  first: OwnedServer,
  starting: ServerStartOptions,
  warn: (message: string) => void,
): { stop(): Promise<void> } {
  let server: OwnedServer | undefined
  let recovering: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  const ending = new AbortController()

  function watch(held: OwnedServer): void {
    server = held
    countForLoop(held, false)
    held.client.once('end', () => {
      server = undefined
      if (stopping === undefined) recovering = recover(held.socket_path)
    })
  }

  async function recover(socket_path: string): Promise<void> {
    let told = ''
    // Recovery may run long before it meets the full disk again, and the one who could help would
    // not hear until then what is wrong.
    if (isDiskFull(starting.home)) {
      told = diskFullMessage(starting.home.data_path)
      warn(`The embedded database is away: ${told}`)
    }
    for (let attempt = 0; stopping === undefined; attempt++) {
      await pause(pauses_ms[attempt] ?? pauses_ms.at(-1)!)
      if (stopping !== undefined) return
      try {
        watch(await acquireServer(starting, socket_path))
        return warn('The embedded database was away and is back.')
      } catch (error) {
        const { message } = error as Error
        if (message !== told) warn(`The embedded database is away: ${message}`)
        told = message
      }
    }
  }

  async function pause(time_ms: number): Promise<void> {
    const options = { ref: false, signal: ending.signal }
    await sleep(time_ms, undefined, options).catch(() => {})
  }

  async function stop(): Promise<void> {
    ending.abort()
    await recovering
    // Without the lock the server is not ours to stop: it is down, or another Florin has it.
    if (server === undefined) return
    countForLoop(server, true)
    await stopServer(server, starting.home, warn)
  }

  watch(first)
  return {
    stop() {
      stopping ??= stop()
      return stopping
    },
  }
}

/**
 * The database outlives a crash of ours, so holding it must not keep our event loop alive; only
 * waiting for its end does. The types of pg lack the two methods.
 */
function countForLoop({ child, client }: OwnedServer, counts: boolean): void {
  const method = counts ? 'ref' : 'unref'
  child?.[method]()
  ;(client as unknown as Record<typeof method, () => void>)[method]()
}
