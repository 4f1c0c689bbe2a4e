// Checks of florin doctor on this machine: Node.js, packages, data directory, disk, port.

import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import type { Config } from '../../config.ts'
import { findPackage } from '../../embedded-postgres/prepare-binaries.ts'
import { explainListen } from '../client/ready-server.ts'
import { localUrl, probeServer } from '../probe-server.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

export async function checkMachine(config: Config): Promise<Finding[]> {
  const port = await checkPort(config)
  if (config.database_url !== undefined) return [port]
  return [await checkPackage(), ...(await checkData(config.data_path)), port]
}

/** Always ok: the launcher rejects a Node.js version that is too old. */
export function checkNode(): Finding {
  return ok('Node', `${process.versions.node}, at ${process.execPath}`)
}

async function checkPackage(): Promise<Finding> {
  try {
    return ok('Packages', `embedded PostgreSQL in ${await findPackage()}`)
  } catch (error) {
    return fail('Packages', (error as Error).message)
  }
}

async function checkData(data_path: string): Promise<Finding[]> {
  const folder = await nearestExisting(data_path)
  const found = await stat(folder)
  if (!found.isDirectory()) {
    return [fail('Data', `${folder} is a file. Set FLORIN_DATA to a directory.`)]
  }
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') {
      const advice = 'Mount a volume in a container, or use StateDirectory= of systemd.'
      return [fail('Data', `${folder} is on a read-only file system. ${advice}`)]
    }
    const advice = 'Change its permissions, or set FLORIN_DATA to another directory.'
    return [fail('Data', `${folder} is not writable by this user. ${advice}`)]
  }
  const when = folder === data_path ? '' : ', created on first start'
  return [ok('Data', `${data_path}${when}`), await checkDisk(folder)]
}

/** The directory itself, or its nearest existing parent. */
async function nearestExisting(path: string): Promise<string> {
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  return exists ? path : nearestExisting(dirname(path))
}

// A new cluster uses 40 MB, and its write-ahead log up to 1 GB.
const required_mb = 200
const recommended_mb = 2_000

async function checkDisk(path: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(path)
  const free_mb = Math.floor((bavail * bsize) / 1e6)
  const free = free_mb < 10_000 ? `${free_mb} MB free` : `${Math.floor(free_mb / 1_000)} GB free`
  if (free_mb < required_mb) return fail('Disk', `${free}. Free at least ${required_mb} MB.`)
  if (free_mb < recommended_mb)
    return warn('Disk', `${free}. The write-ahead log may use up to 1 GB.`)
  return ok('Disk', free)
}

async function checkPort(config: Config): Promise<Finding> {
  if (config.port === 0) return ok('Port', 'any free port, because PORT is 0')
  const error = await tryListen(config)
  if (error === undefined) return ok('Port', `${config.port} is free`)
  const state = error.code === 'EADDRINUSE' ? await probeServer(config) : 'not_running'
  if (state === 'ready') return ok('Port', `Florin is running at ${localUrl(config)}`)
  if (state === 'not_ready') {
    return warn('Port', `Florin is running at ${localUrl(config)} but not ready. See its log.`)
  }
  return fail('Port', explainListen(error, config).message)
}

function tryListen({ host, port }: Config): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)))
  })
}
