// What the file system refused: what could not be done with which file, and why.

interface FileError extends Error {
  code: string
  path: string
  syscall: string
}

/** A program that cannot be started has a path as well, and a connection to a socket has none. */
export function isFileError(error: unknown): error is FileError {
  if (!(error instanceof Error)) return false
  const { code, path, syscall } = error as NodeJS.ErrnoException
  const is_told = code !== undefined && path !== undefined && syscall !== undefined
  return is_told && /^E[A-Z0-9]+$/.test(code) && !syscall.startsWith('spawn')
}

const deeds: Record<string, string> = {
  chmod: 'given other rights',
  lstat: 'looked at',
  mkdir: 'made',
  open: 'opened',
  rename: 'renamed',
  rm: 'removed',
  rmdir: 'removed',
  scandir: 'read',
  stat: 'looked at',
  unlink: 'removed',
}

export function describeFileError({ code, path, syscall, message }: FileError): string {
  const what = syscall === 'mkdir' ? `The folder ${path}` : path
  // Node writes `EACCES: permission denied, mkdir '…'`.
  const why = /^\w+: (.+?), \w/.exec(message)?.[1] ?? 'the system refuses it'
  return `${what} cannot be ${deeds[syscall] ?? `used (${syscall})`}: ${why} (${code}).`
}
