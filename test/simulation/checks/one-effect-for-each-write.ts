// Every write happened once or not at all: once if any answer said yes, never if all refused, and
// exactly one of both when nobody knows. Nothing is there that nobody asked for.

import type { Final, History } from '../history.ts'
import { type Write, writesOf } from '../writes.ts'

export function oneEffectForEachWrite(history: History): string[] {
  const made = countByTag(history.final)
  const writes = writesOf(history).filter(({ operation }) => isCreating(operation))
  const known = new Set(writes.map(({ tag }) => tag))
  const strange = [...made.keys()]
    .filter((tag) => !known.has(tag))
    .map((tag) => `a row says that ${tag} made it, and nobody sent that`)
  return [...writes.flatMap((write) => check(write, made.get(write.tag) ?? 0)), ...strange]
}

/** How the writes in doubt were resolved. */
export function resolveDoubts(history: History): { happened: number; did_not_happen: number } {
  const made = countByTag(history.final)
  const doubts = writesOf(history).filter(
    ({ operation, in_doubt, acknowledged }) => isCreating(operation) && in_doubt && !acknowledged,
  )
  const happened = doubts.filter(({ tag }) => made.has(tag)).length
  return { happened, did_not_happen: doubts.length - happened }
}

function isCreating(operation: Write['operation']): boolean {
  return operation === 'create' || operation === 'request'
}

function countByTag({ transactions, payments }: Final): Map<string, number> {
  const made = new Map<string, number>()
  for (const { metadata } of [...transactions, ...payments]) {
    // What a paid request makes has its request's id instead.
    if (typeof metadata.tag !== 'string') continue
    made.set(metadata.tag, (made.get(metadata.tag) ?? 0) + 1)
  }
  return made
}

function check({ tag, acknowledged, in_doubt }: Write, effects: number): string[] {
  if (effects > 1) return [`${tag} had ${effects} effects`]
  if (acknowledged && effects === 0) return [`${tag} was acknowledged and had no effect`]
  if (!acknowledged && !in_doubt && effects === 1) return [`${tag} was refused and happened`]
  return []
}
