// Which accounts share a shard. On Citus, the tables of accounts are distributed by account id: all
// rows of an account are on one shard, and a database transaction within one shard needs no
// two-phase commit. A plain PostgreSQL is one shard.
//
// Correctness does not depend on this map. A batch with accounts of two shards fails on its first
// statement, because Citus locks rows of one shard only. Then the map is read again.

import { isUnsupported } from './failure.ts'
import { type Sql, sql } from './sql.ts'
import type { Queryable } from './statement-runner.ts'

const least_hash = -(2 ** 31)

export class Shards {
  /** The least hash of each shard, ascending. */
  #starts = [least_hash]
  #is_distributed = false
  #is_loaded = false

  /** Whether the tables of accounts are distributed by Citus. */
  get is_distributed(): boolean {
    return this.#is_distributed
  }

  get count(): number {
    return this.#starts.length
  }

  /** The least hash of the account's shard. A shard that is split keeps its number for one part. */
  shardOf(account_id: string): number {
    if (this.#starts.length === 1) return least_hash
    const hash = hashUuid(account_id)
    return this.#starts.findLast((start) => start <= hash) ?? least_hash
  }

  /** Groups rows by shard, in order of arrival. */
  split<Row extends { account_id: string }>(rows: Row[]): Row[][] {
    if (this.#starts.length === 1) return [rows]
    return [...Map.groupBy(rows, ({ account_id }) => this.shardOf(account_id)).values()]
  }

  /**
   * Reads the rows of each shard with one statement; concatenates the results. After a split the
   * map is read again, as for batches.
   */
  async readEach<Key extends { account_id: string }, Row>(
    db: Queryable,
    keys: Key[],
    read: (keys: Key[]) => Promise<Row[]>,
  ): Promise<Row[]> {
    if (!this.#is_distributed) return read(keys)
    const readParts = async () => (await Promise.all(this.split(keys).map(read))).flat()
    try {
      return await readParts()
    } catch (error) {
      if (!isUnsupported(error)) throw error
      await this.load(db)
      return readParts()
    }
  }

  async load(db: Pick<Queryable, 'rows'>): Promise<void> {
    const starts = await readStarts(db)
    this.#is_loaded = true
    this.#is_distributed = starts.length > 0
    this.#starts = starts.length > 0 ? starts : [least_hash]
  }

  /** With the first connection to a Citus cluster. */
  async loadOnce(query: (statement: Sql) => Promise<{ rows: unknown[] }>): Promise<void> {
    if (this.#is_loaded) return
    await this.load({
      rows: async <Row>(statement: Sql) => (await query(statement)).rows as Row[],
    })
  }
}

/** Empty if the tables are not distributed. */
async function readStarts(db: Pick<Queryable, 'rows'>): Promise<number[]> {
  const [found] = await db.rows<{ is_citus: boolean }>(sql`
    select to_regclass('pg_dist_shard') is not null as is_citus`)
  if (!found!.is_citus) return []
  const shards = await db.rows<{ start: number; shard_id: number }>(sql`
    select shardminvalue::int as start, shardid as shard_id
    from pg_dist_shard
    where logicalrelid = to_regclass('balances') and shardminvalue is not null
    order by start`)
  if (shards.length > 0) await requireSameHash(db, shards)
  return shards.map(({ start }) => start)
}

// This process computes the hash itself: a lookup on the server would delay the first change of
// each account, and a cache of lookups would need to be invalidated. If the server computes another
// hash, all batches would fail.
async function requireSameHash(
  db: Pick<Queryable, 'rows'>,
  shards: { start: number; shard_id: number }[],
): Promise<void> {
  const ids = Array.from({ length: 64 }, () => crypto.randomUUID())
  const placed = await db.rows<{ id: string; shard_id: number }>(sql`
    select id, get_shard_id_for_distribution_column('balances', id) as shard_id
    from unnest(${ids}::uuid[]) as it (id)`)
  const wrong = placed.find(({ id, shard_id }) => {
    const hash = hashUuid(id)
    return shards.findLast(({ start }) => start <= hash)?.shard_id !== shard_id
  })
  if (wrong === undefined) return
  throw new Error(
    `Citus stores the account ${wrong.id} on shard ${wrong.shard_id}, which this version of ` +
      'Florin does not expect. Distribute the tables with "florin distribute".',
  )
}

const add = (a: number, b: number) => (a + b) | 0
const rotate = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits))

// The shifts of the two halves of Bob Jenkins' hash function lookup3.
const mix_shifts = [4, 6, 8, 16, 19, 4]
const final_shifts = [14, 11, 25, 16, 4, 14, 24]

/** PostgreSQL's `uuid_hash` on little-endian servers, which Citus distributes by. */
export function hashUuid(uuid: string): number {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex')
  const start = add(0x9e3779b9 + 3923095, bytes.length)
  let [a, b, c] = [0, 4, 8].map((at) => add(start, bytes.readInt32LE(at))) as [
    number,
    number,
    number,
  ]
  for (const shift of mix_shifts) {
    const mixed = add(a, -c) ^ rotate(c, shift)
    // The roles of the three words move on by one.
    ;[a, b, c] = [b, add(c, b), mixed]
  }
  a = add(a, bytes.readInt32LE(12))
  for (const shift of final_shifts) {
    const mixed = add(c ^ b, -rotate(b, shift))
    ;[c, b, a] = [a, mixed, b]
  }
  return b
}
