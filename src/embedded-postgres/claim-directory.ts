// Prevents two Florins in different containers from using one data directory. PostgreSQL's lock
// file contains a pid, and its shared memory has an owner, but neither is visible in another
// container: there a second server would start on the same files and destroy them. A socket in the
// directory is visible, and the kernel closes it however its process ends.

import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readlinkSync, rmSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, EmbeddedDatabaseError } from './errors.ts'
import type { Home } from './prepare-home.ts'

const prefix = 'in-use-'

// A Florin that is shutting down exits within ten seconds, and its container follows.
const wait_max_ms = 12_000

/**
 * Waits until no process of another container uses the directory. Processes that see each other
 * share claims: for them, PostgreSQL's lock file and the owner lock decide. Returns the release.
 */
export async function claimDirectory(home: Home, signal?: AbortSignal): Promise<() => void> {
  if (process.platform !== 'linux') return () => {}
  // The path of a socket may have 108 bytes. A descriptor makes every directory reachable.
  const fd = openSync(home.data_path, 'r')
  const folder = `/proc/self/fd/${fd}`
  const own_prefix = `${prefix}${namespaceId()}-`
  const path = `${folder}/${own_prefix}${randomBytes(6).toString('hex')}`
  const server = await listen(path)
  let released = false
  const release = () => {
    if (released) return
    released = true
    server?.close()
    rmSync(path, { force: true })
    closeSync(fd)
  }
  try {
    await waitForOthers(folder, own_prefix, home, signal)
    return release
  } catch (error) {
    release()
    throw error
  }
}

/** The same for all processes that see each other's pids. */
function namespaceId(): string {
  return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')
}

/** Undefined if the file system has no sockets; then there is no protection. */
function listen(path: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    // Containers may run as different users. The directory itself is private.
    server.listen({ path, readableAll: true, writableAll: true }, () => resolve(server))
    server.unref()
  })
}

async function waitForOthers(
  folder: string,
  own_prefix: string,
  home: Home,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline_ms = performance.now() + wait_max_ms
  while (await isUsedElsewhere(folder, own_prefix)) {
    signal?.throwIfAborted()
    if (performance.now() > deadline_ms) {
      throw new EmbeddedDatabaseError(
        `Florin in another container uses ${home.data_path}. Run commands in that container, or ` +
          'stop it first. Set DATABASE_URL to use PostgreSQL from several containers.',
      )
    }
    await sleep(100)
  }
}

async function isUsedElsewhere(folder: string, own_prefix: string): Promise<boolean> {
  const names = (await readdir(folder)).filter((name) => name.startsWith(prefix))
  for (const name of names) {
    const path = `${folder}/${name}`
    if (!(await isListening(path))) await unlink(path).catch(() => {})
    else if (!name.startsWith(own_prefix)) return true
  }
  return false
}

function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path }, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error) => {
      resolve(!['ECONNREFUSED', 'ENOENT'].includes(codeOf(error) ?? ''))
    })
  })
}
