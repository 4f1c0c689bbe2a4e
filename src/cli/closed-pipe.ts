// Handles a reader that closes our output, as in: florin get … | head -1. Node.js ignores
// SIGPIPE, so the command exits silently by itself, and first releases what it has opened.

import { requestStop } from './stop-signals.ts'

// 128 + SIGPIPE, as a shell reports it. Not 0, because part of the output was not read.
const ended_by_pipe = 141

let is_ending = false
let onClose: () => void = end
let ignores_errors = false

/** Whether the command exits because of a closed pipe, so no failure is reported. */
export function isPipeClosed(): boolean {
  return is_ending
}

/**
 * For servers: calls the handler instead of exiting. Other write errors on stdout and stderr, such
 * as a full disk, are ignored.
 */
export function whenPipeCloses(handler: () => void): void {
  onClose = handler
  ignores_errors = true
}

export function watchPipes(): void {
  process.stdout.on('error', (error) => {
    if (isReaderGone(error, process.stdout)) onClose()
    else if (!ignores_errors) throw error
  })
  // Losing stderr does not stop the command.
  process.stderr.on('error', (error) => {
    if (!isReaderGone(error, process.stderr) && !ignores_errors) throw error
  })
}

// Node.js links child processes via sockets, which can be reset. EIO means a closed terminal; for
// a file it means a failing disk, which must be reported.
function isReaderGone({ code }: NodeJS.ErrnoException, { isTTY }: { isTTY?: boolean }): boolean {
  return code === 'EPIPE' || code === 'ECONNRESET' || (code === 'EIO' && isTTY === true)
}

function end(): void {
  // Later writes fail too, and a second stop request would kill the process immediately.
  if (is_ending) return
  is_ending = true
  // Set on exit, because a command that is finishing may still set its exit code.
  process.once('exit', () => {
    process.exitCode = ended_by_pipe
  })
  if (!requestStop()) process.exit()
}
