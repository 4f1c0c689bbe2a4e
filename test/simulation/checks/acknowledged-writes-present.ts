// Every acknowledged write is present at the end, whatever was killed in between.

import type { History } from '../history.ts'
import { bodyOf, endOf, type Write, writesOf } from '../writes.ts'

export function acknowledgedWritesPresent(history: History): string[] {
  const { transactions, payments } = history.final
  const transfers = history.final.transfers.filter(({ side }) => side === 'out')
  const rows = new Map([...transactions, ...payments, ...transfers].map((row) => [row.id, row]))
  return writesOf(history).flatMap((write) => {
    if (write.acknowledged === undefined || write.operation === 'revoke') return []
    return check(write, rows)
  })
}

interface ObjectRow {
  status: string
  metadata: Record<string, unknown>
}

function check(write: Write, rows: Map<string, ObjectRow>): string[] {
  const { operation, tag, input } = write
  const creates = ['create', 'request', 'transfer'].includes(operation)
  const id = creates ? bodyOf(write.acknowledged!)?.id : write.target
  const row = rows.get(id)
  if (row === undefined)
    return [`${operation} ${tag} was acknowledged as ${id}, which does not exist`]
  if (creates && row.metadata.tag !== tag)
    return [`${id} was acknowledged to ${tag}, but has another tag`]
  const status = endOf(write)
  if (status !== undefined && row.status !== status) {
    return [`${operation} ${tag} of ${id} was acknowledged as ${status}, but it is ${row.status}`]
  }
  const { patch_key } = input
  if (patch_key !== undefined && row.metadata[patch_key] !== tag) {
    return [`patch ${tag} of ${id} was acknowledged, but ${patch_key} is not in its metadata`]
  }
  return []
}
