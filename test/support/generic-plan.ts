// Measures a statement under a generic plan, as the server's sessions run it
// (plan_cache_mode=force_generic_plan). Statements come from the functions of a queries.ts.

import type pg from 'pg'
import type { Queryable } from '../../src/postgres/database.ts'
import type { Sql } from '../../src/postgres/sql.ts'

interface Node {
  'Node Type': string
  'Index Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}

interface GenericPlan {
  /** Pages touched. */
  buffers: number
  indexes: string[]
  /** Rows read and then filtered out. */
  removed: number
}

/** Runs the single statement that `read` sends, and measures it. */
export async function genericPlan(
  client: pg.Client,
  read: (db: Queryable) => Promise<unknown>,
): Promise<GenericPlan> {
  let found: GenericPlan | undefined
  const rows = async (statement: Sql) => {
    found = await explain(client, statement)
    return []
  }
  const db = { rows, row: async (one: Sql) => void (await rows(one)), count: rows }
  await read(db as unknown as Queryable)
  return found!
}

async function explain(client: pg.Client, { text, values }: Sql): Promise<GenericPlan> {
  const given = values.map((value) => literal(client, value)).join(', ')
  const responses = await client.query(
    `deallocate all; set plan_cache_mode = force_generic_plan; set random_page_cost = 1.1;
     prepare it as ${text};
     explain (analyze, buffers, format json) execute it ${given && `(${given})`}`,
  )
  const root: Node = [responses].flat().at(-1)!.rows[0]['QUERY PLAN'][0].Plan
  const nodes = flatten(root)
  return {
    buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    removed: nodes.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0),
  }
}

function literal(client: pg.Client, value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return client.escapeLiteral(`{${value.map(String).join(',')}}`)
  return client.escapeLiteral(value instanceof Date ? value.toISOString() : String(value))
}

function flatten(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)]
}
