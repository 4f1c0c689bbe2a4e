// Describes file system errors: the failed action, the file and the reason.

interface FileError extends Error {
  code: string
  path: string
  syscall: string
}

/** Excludes spawn errors, which have a path too. Socket errors have no path. */
export function isFileError(error: unknown): error is FileError {
  if (!(error instanceof Error)) return false
  const { code, path, syscall } = error as NodeJS.ErrnoException
  const is_complete = code !== undefined && path !== undefined && syscall !== undefined
  return is_complete && /^E[A-Z0-9]+$/.test(code) && !syscall.startsWith('spawn')
}

const actions: Record<string, string> = {
  chmod: 'change the permissions of',
  lstat: 'read',
  mkdir: 'create the folder',
  open: 'open',
  rename: 'rename',
  rm: 'remove',
  rmdir: 'remove',
  scandir: 'read',
  stat: 'read',
  unlink: 'remove',
}

export function describeFileError({ code, path, syscall, message }: FileError): string {
  // Node.js writes `EACCES: permission denied, mkdir '…'`.
  const reason = /^\w+: (.+?), \w/.exec(message)?.[1] ?? 'the system call failed'
  return `Cannot ${actions[syscall] ?? syscall} ${path}: ${reason} (${code}).`
}
