import { port } from './socket-directory.ts'

// Given on the command line at every start, where they win over postgresql.conf, so that a new
// version of Florin changes them for old data directories too.
const defaults: Record<string, string> = {
  // What is committed survives a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // PostgreSQL's own defaults, written down because initdb lowers them on a small machine.
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  // A page here and there costs little more than one after the other, in memory and on any SSD.
  // With PostgreSQL's own 4, made for turning disks, a batch of settlements read all that is
  // pending instead of an index: 1 240 a second, and 3 320 with this.
  random_page_cost: '1.1',
  // After a crash of one of its processes it ends, and Florin starts it anew. Its own restart may
  // fail half-way on a full disk, and its first process then stayed for ever: it let nobody in,
  // and no other could be started beside it.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failures are explained by matching PostgreSQL's words.
  lc_messages: 'C',
  // Terse leaves out DETAIL and CONTEXT, where values of rows would reach the log.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** The settings as arguments. Nothing may open the server to the network or to other users. */
export function serverSettings(chosen: Record<string, string>, socket_path: string): string[] {
  const settings = {
    ...defaults,
    ...chosen,
    listen_addresses: '',
    unix_socket_directories: socket_path,
    unix_socket_permissions: '0700',
    port: String(port),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
