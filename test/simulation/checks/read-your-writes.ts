// An acknowledged write is visible to every read that starts later, by any client, on any process.

import type { Attempt, History } from '../history.ts'
import { bodyOf, endOf, groupBy, type Write, writesOf } from '../writes.ts'

export function readYourWrites(history: History): string[] {
  const changes = groupBy(
    writesOf(history).filter(({ acknowledged }) => acknowledged !== undefined),
    idOf,
  )
  return history.attempts.flatMap((read) => {
    if (read.operation !== 'get' && read.operation !== 'get_request') return []
    if (read.result === 'info') return []
    const before = (changes.get(read.target!) ?? []).filter(
      ({ acknowledged }) => acknowledged!.done_ms < read.sent_ms,
    )
    return before.flatMap((write) => check(read, write))
  })
}

function idOf(write: Write): string {
  return write.target ?? String(bodyOf(write.acknowledged!)?.id)
}

function check(read: Attempt, write: Write): string[] {
  const { operation, tag, input } = write
  const what = `${read.target} read at ${Math.round(read.sent_ms)} ms`
  if (read.status === 404) return [`${what} was not found, after ${operation} ${tag}`]
  if (read.result !== 'ok') return []
  const body = bodyOf(read)
  const status = endOf(write)
  if (status !== undefined && body?.status !== status) {
    return [`${what} was ${body?.status}, after ${tag} set it to ${status}`]
  }
  const { patch_key } = input
  if (patch_key !== undefined && body?.metadata?.[patch_key] !== tag) {
    return [`${what} lacked ${patch_key}, after patch ${tag}`]
  }
  return []
}
