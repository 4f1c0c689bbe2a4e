import { setTimeout as sleep } from 'node:timers/promises'
import { keepLoopAlive } from '../postgres/driver/client.ts'
import { acquireServer, type OwnedServer } from './acquire-server.ts'
import { isDiskFull } from './explain-failure.ts'
import { diskFullMessage } from './prepare-home.ts'
import type { ServerStartOptions } from './start-server.ts'
import { stopServer } from './stop-server.ts'

// The first restart is immediate, because it fixes nearly every crash. Later ones are slower, so
// that a server that cannot start does not fill the log.
const pauses_ms = [0, 200, 1_000, 5_000]

/**
 * Supervises a server for the lifetime of the process. If the connection with the owner lock is
 * lost, it reconnects; if the server has died, it restarts it on the same socket.
 */
export function superviseServer(
  first: OwnedServer,
  starting: ServerStartOptions,
): { stop(): Promise<void> } {
  const { home, warn } = starting
  let server: OwnedServer | undefined
  let recovering: Promise<void> | undefined
  let stopping: Promise<void> | undefined
  const ending = new AbortController()

  function watch(owned: OwnedServer): void {
    server = owned
    keepRunning(owned, false)
    owned.client.once('end', () => {
      server = undefined
      if (stopping === undefined) recovering = recover(owned.socket_path)
    })
  }

  async function recover(socket_path: string): Promise<void> {
    let reported = ''
    // Checked first: recovery may run long before it fails on the full disk again, and the operator
    // would not learn the reason until then.
    if (isDiskFull(home)) {
      reported = diskFullMessage(home.data_path)
      warn(`The embedded database is down: ${reported}`)
    }
    for (let attempt = 0; stopping === undefined; attempt++) {
      await pause(pauses_ms[attempt] ?? pauses_ms.at(-1)!)
      if (stopping !== undefined) return
      try {
        watch(await acquireServer(starting, socket_path))
        return warn('The embedded database was down and is running again.')
      } catch (error) {
        const { message } = error as Error
        if (message !== reported) warn(`The embedded database is down: ${message}`)
        reported = message
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
    // Without the lock the server must not be stopped: it is down, or another Florin owns it.
    if (server === undefined) return
    keepRunning(server, true)
    await stopServer(server, starting)
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
 * Owning the database must not keep the event loop alive, because the database survives a crash of
 * this process; only waiting for its end does.
 */
function keepRunning({ child, client }: OwnedServer, keeps: boolean): void {
  child?.[keeps ? 'ref' : 'unref']()
  keepLoopAlive(client, keeps)
}
