import { port } from './socket-directory.ts'

// Passed on the command line at every start, where they override postgresql.conf, so a new version
// of Florin also changes them for existing data directories.
const defaults: Record<string, string> = {
  // Commits survive a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // PostgreSQL's defaults, set explicitly because initdb lowers them on a small machine.
  max_connections: '100',
  shared_buffers: '128MB',
  max_wal_size: '1GB',
  min_wal_size: '80MB',
  // In memory and on SSDs, random reads cost little more than sequential ones. With the default of
  // 4, for spinning disks, a batch of settlements scanned all pending rows instead of an index:
  // 1,240 settlements per second, and 3,320 with this value.
  random_page_cost: '1.1',
  // After a crash of a backend process the server exits, and Florin restarts it. PostgreSQL's own
  // restart can fail on a full disk and leave a postmaster that accepts no connections and prevents
  // another server from starting.
  restart_after_crash: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // explain-failure.ts matches the English messages.
  lc_messages: 'C',
  // Terse omits DETAIL and CONTEXT, which would write row values to the log.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** The settings as arguments. No setting may open the server to the network or to other users. */
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
