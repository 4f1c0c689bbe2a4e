// How Citus runs a statement: refused, in one shard, or in several.

import type pg from 'pg'
import type { RecordedStatement } from './record-statements.ts'

export interface CitusPlan {
  /**
   * `plain`: no table of Citus. `none`: no shard, as for an empty list. `one`: a single task.
   * `many`: several tasks. `steps`: a part of it is run first, and its result sent on.
   * `pulled`: INSERT ... SELECT through the coordinator, always with two-phase commit.
   */
  kind: 'refused' | 'plain' | 'none' | 'one' | 'many' | 'steps' | 'pulled'
  tasks: number
  message?: string
}

/** Plans a statement and runs it: some are rejected only then. Leaves no rows. */
export async function planOf(
  client: pg.Client,
  { text, values }: RecordedStatement,
): Promise<CitusPlan> {
  try {
    const found = await client.query(`explain (format json) ${text}`, values)
    await runAndUndo(client, text, values)
    return readPlan(found.rows[0]['QUERY PLAN'])
  } catch (error) {
    return { kind: 'refused', tasks: 0, message: (error as Error).message }
  }
}

// Without the rows that the test had, a statement may violate a constraint or divide by zero. With
// one more account, it may insert a row twice.
const about_values = /^2[123]/

async function runAndUndo(client: pg.Client, text: string, values: unknown[]): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text, values)
  } catch (error) {
    if (!about_values.test((error as pg.DatabaseError).code ?? '')) throw error
  } finally {
    await client.query('rollback')
  }
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The same statement for one more account: every list has another element. */
export function withAccount(
  { text, values }: RecordedStatement,
  account_id: string,
): RecordedStatement | undefined {
  const more = (last: string) => (uuid.test(last) ? account_id : last)
  const longer = values.map((value) => {
    if (typeof value !== 'string') return value
    const [, list] = /^\{(.+)\}$/.exec(value) ?? []
    if (list !== undefined && !/[:{]/.test(list)) return `{${list},${more(lastOf(list, ','))}}`
    return value.includes('\u001f') ? `${value}\u001f${more(lastOf(value, '\u001f'))}` : value
  })
  const is_longer = longer.some(
    (value, at) => value !== values[at] && `${value}`.includes(account_id),
  )
  return is_longer ? { text, values: longer } : undefined
}

/** Without the quotes of an array. */
function lastOf(list: string, separator: string): string {
  const last = list.slice(list.lastIndexOf(separator) + 1)
  return separator === ',' ? last.replaceAll('"', '') : last
}

function readPlan(plan: unknown): CitusPlan {
  const seen = { tasks: [] as number[], subplans: 0, pulled: false }
  look(plan, seen)
  const tasks = seen.tasks.reduce((most, n) => Math.max(most, n), 0)
  if (seen.pulled) return { kind: 'pulled', tasks }
  if (seen.subplans > 0) return { kind: 'steps', tasks }
  if (seen.tasks.length === 0) return { kind: 'plain', tasks }
  return { kind: tasks === 0 ? 'none' : tasks === 1 ? 'one' : 'many', tasks }
}

function look(node: unknown, seen: { tasks: number[]; subplans: number; pulled: boolean }): void {
  if (Array.isArray(node)) for (const one of node) look(one, seen)
  if (typeof node !== 'object' || node === null) return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'Task Count') seen.tasks.push(Number(value))
    if (key === 'Subplans') seen.subplans += 1
    if (key === 'INSERT/SELECT method' && value === 'pull to coordinator') seen.pulled = true
    look(value, seen)
  }
}
