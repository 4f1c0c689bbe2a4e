// Every write takes effect at most once: exactly once if any response acknowledged it, never if all
// rejected it, and zero or one times if the outcome is unknown. No other rows exist.

import type { Final, History } from '../history.ts'
import { type Write, writesOf } from '../writes.ts'

export function oneEffectForEachWrite(history: History): string[] {
  const created = countByTag(history.final)
  const writes = writesOf(history).filter(({ operation }) => isCreating(operation))
  const known = new Set(writes.map(({ tag }) => tag))
  const unknown = [...created.keys()]
    .filter((tag) => !known.has(tag))
    .map((tag) => `a row has tag ${tag}, which no client sent`)
  return [...writes.flatMap((write) => check(write, created.get(write.tag) ?? 0)), ...unknown]
}

/** Counts how the writes with unknown outcome ended. */
export function resolveDoubts(history: History): { happened: number; did_not_happen: number } {
  const created = countByTag(history.final)
  const doubts = writesOf(history).filter(
    ({ operation, in_doubt, acknowledged }) => isCreating(operation) && in_doubt && !acknowledged,
  )
  const happened = doubts.filter(({ tag }) => created.has(tag)).length
  return { happened, did_not_happen: doubts.length - happened }
}

function isCreating(operation: Write['operation']): boolean {
  return operation === 'create' || operation === 'request' || operation === 'transfer'
}

function countByTag({ transactions, payments, transfers }: Final): Map<string, number> {
  const created = new Map<string, number>()
  for (const { metadata } of [...transactions, ...payments, ...transfers]) {
    // A transaction created by a paid request has the request's id instead of a tag.
    if (typeof metadata.tag !== 'string') continue
    created.set(metadata.tag, (created.get(metadata.tag) ?? 0) + 1)
  }
  return created
}

function check({ tag, acknowledged, in_doubt }: Write, effects: number): string[] {
  if (effects > 1) return [`${tag} had ${effects} effects`]
  if (acknowledged && effects === 0) return [`${tag} was acknowledged but had no effect`]
  if (!acknowledged && !in_doubt && effects === 1) return [`${tag} was rejected but took effect`]
  return []
}
