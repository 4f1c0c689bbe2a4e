// What reads our output may go first: florin get … | head -1. Other programs are ended by SIGPIPE
// then, which Node takes away; so a command ends as quietly, but puts away what it has opened.

import { requestStop } from './stop-signals.ts'

// What a shell says of a program that was ended by SIGPIPE. Never 0: nobody saw all it had to say.
const ended_by_pipe = 141

let is_ending = false
let act: () => void = end

/** Whether the command ends for this alone, so that there is no failure to tell. */
export function isPipeClosed(): boolean {
  return is_ending
}

/** For what goes on, or ends in its own way. */
export function whenPipeCloses(other: () => void): void {
  act = other
}

export function watchPipes(): void {
  process.stdout.on('error', (error) => {
    requireGone(error)
    act()
  })
  // What it was to say has nobody to hear it; the command goes on to its end.
  process.stderr.on('error', requireGone)
}

// Node gives its children sockets for pipes, and those may be reset.
function requireGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error
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
