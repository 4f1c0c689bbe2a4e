// Checks the tables of the ledger page against the posting rules in the code.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { effectOn, movements, postingRules } from '../../src/ledger/posting-rules.ts'

const page = readFileSync(new URL('../../docs/concepts/ledger.md', import.meta.url), 'utf8')

/** Returns the rows of the table whose header starts with `head`. */
function tableOf(head: string): string[][] {
  const lines = page.split('\n')
  const start = lines.findIndex((line) => line.startsWith(head))
  assert.ok(start >= 0, `no table starts with ${head}`)
  const rest = lines.slice(start)
  const end = rest.findIndex((line) => !line.startsWith('|'))
  const rows = rest.slice(0, end).map((line) => line.split('|').slice(1, -1))
  return rows.filter((_, at) => at !== 1).map((row) => row.map((cell) => cell.trim()))
}

const wordsOf = (cell: string) => [...cell.matchAll(/[a-z_]+/g)].map(([word]) => word)

test('the movements on the page are those in the code', () => {
  const [, ...rows] = tableOf('| movement |')
  const signs = { 1: '+', [-1]: '−', 0: '–' }
  const wanted = Object.entries(movements).map(([name, { from, to }]) => [
    `\`${name}\``,
    from,
    to,
    signs[effectOn('available', name as keyof typeof movements)],
  ])
  assert.deepEqual(rows, wanted)
})

test('the buckets on the page are those that money moves between', () => {
  const [, ...rows] = tableOf('| bucket |')
  const known = new Set(Object.values(movements).flatMap(({ from, to }) => [from, to]))
  assert.deepEqual(rows.map(([name]) => wordsOf(name!)[0]).toSorted(), [...known].toSorted())
})

test("each status change on the page has the code's posting", () => {
  const [[, ...heads], ...rows] = tableOf('| type |') as [string[], ...string[][]]
  const statuses = heads.map((head) => (head === 'on create' ? ['pending'] : wordsOf(head)))
  const documented: Record<string, Record<string, string>> = {}
  for (const [types, ...cells] of rows) {
    for (const type of wordsOf(types!)) {
      const steps = cells.flatMap((cell, at) =>
        statuses[at]!.map((status) => [status, /`(\w+)`/.exec(cell)?.[1]]),
      )
      documented[type] = Object.fromEntries(steps)
    }
  }
  assert.deepEqual(documented, postingRules)
})
