// What reads our output may go first: florin get … | head -1. Other programs are ended by SIGPIPE
// then, which Node takes away; so a command ends as quietly, but puts away what it has opened.

import { requestStop } from './stop-signals.ts'

// What a shell says of a program that was ended by SIGPIPE. Never 0: nobody saw all it had to say.
const ended_by_pipe = 141

let is_ending = false
let act: () => void = end
let goes_on = false

/** Whether the command ends for this alone, so that there is no failure to tell. */
export function isPipeClosed(): boolean {
  return is_ending
}

/**
 * For what serves others: it goes on, or ends in its own way, when the reader is gone. Nothing else
 * that keeps it from speaking, such as a full disk, is a reason to end.
 */
export function whenPipeCloses(other: () => void): void {
  act = other
  goes_on = true
}

export function watchPipes(): void {
  process.stdout.on('error', (error) => {
    if (isGone(error, process.stdout)) act()
    else if (!goes_on) throw error
  })
  // What it was to say has nobody to hear it; the command goes on to its end.
  process.stderr.on('error', (error) => {
    if (!isGone(error, process.stderr) && !goes_on) throw error
  })
}

// Node gives its children sockets for pipes, and those may be reset. A terminal that was closed
// answers with EIO; a file that does so lies on a broken disk, of which a command must tell.
function isGone({ code }: NodeJS.ErrnoException, { isTTY }: { isTTY?: boolean }): boolean {
  return code === 'EPIPE' || code === 'ECONNRESET' || (code === 'EIO' && isTTY === true)
}

function end(): void {
  // Each later write fails too, and a second word to stop would end the process at once.
  if (is_ending) return
  is_ending = true
  // At the very end, since a command that is nearly done may still say its own code.
  process.once('exit', () => {
    process.exitCode = ended_by_pipe
  })
  if (!requestStop()) process.exit()
}
