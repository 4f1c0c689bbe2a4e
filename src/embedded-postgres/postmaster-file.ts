import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from './errors.ts'

/** The contents of postmaster.pid, which a running server writes to its data directory. */
export interface PostmasterFile {
  pid: number
  port: number
  socket_path: string
}

/** Undefined if there is no such file, or if a server has not finished writing it. */
export function readPostmasterFile(cluster_path: string): PostmasterFile | undefined {
  let text: string
  try {
    text = readFileSync(join(cluster_path, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined
    throw error
  }
  // One value per line: pid, data directory, start time, port, socket directory, TCP address, …
  const [pid, , , port, socket_path] = text.split('\n')
  const file = { pid: Number(pid), port: Number(port), socket_path: socket_path ?? '' }
  return file.pid > 0 && file.port > 0 && file.socket_path !== '' ? file : undefined
}
