// Bugs to plant: which text to swap in which file. Each has occurred in real services. The shipped
// code contains neither the bugs nor a flag for them: a hook swaps the text while a file is loaded,
// in processes that the runner starts.

import type { NemesisName } from '../nemesis/nemesis-names.ts'
import type { Swap } from '../swap-text.ts'

export interface PlantedBug {
  what: string
  swaps: Swap[]
  /** Some appear only with two processes. */
  instances: 1 | 2
  /** Faults that expose it quickly. With all faults it takes longer. */
  faults: NemesisName[]
}

const define_lane = 'src/lanes/define-lane.ts'
const database = 'src/postgres/database.ts'
const decide = 'src/transactions/decide.ts'
const ledger = 'src/ledger/queries.ts'
const idempotency = 'src/idempotency'

export const planted_bugs = {
  'ack-before-commit': {
    what: 'the response is sent just before COMMIT',
    instances: 1,
    faults: ['cancel-statements', 'kill-database'],
    swaps: [
      {
        file: database,
        from: `      const result = await change(tx)
      await end(tx)
      return result`,
        to: `      const result = await change(tx)
      tx.left = true
      setTimeout(() => end(tx).catch(() => {}).finally(() => tx.release()), 5)
      return result`,
      },
      {
        file: database,
        from: `    } finally {
      tx.release()
    }`,
        to: `    } finally {
      if (!tx.left) tx.release()
    }`,
      },
    ],
  },
  'no-idem-unique': {
    what: 'a used idempotency key is not looked up and may be written twice',
    instances: 1,
    faults: ['lose-replies', 'reset-clients'],
    swaps: [
      {
        file: `${idempotency}/stored-responses.ts`,
        from: 'if (keys.length === 0) return new Map()',
        to: 'if (keys.length >= 0) return new Map()',
      },
      {
        file: `${idempotency}/queries.ts`,
        from: 'order by account_id, key_hash`)',
        to: 'order by account_id, key_hash on conflict do nothing`)',
      },
      {
        file: `${idempotency}/queries.ts`,
        from: 'response.body})`)',
        to: 'response.body}) on conflict do nothing`)',
      },
    ],
  },
  'check-then-act': {
    what: 'the balance is read without its lock',
    instances: 2,
    faults: ['hold-locks'],
    swaps: [
      { file: ledger, from: 'order by account_id\n    for update', to: 'order by account_id' },
      { file: ledger, from: '\n    for update skip locked', to: '' },
    ],
  },
  'hold-leak': {
    what: 'a canceled refund does not release its amount',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: decide,
        from: `  const postings = postFor(lock, { ...row, status: to }, at)
  set.locked.postings.push(...postings)`,
        to: `  if (row.type !== 'refund' || to !== 'canceled') {
    set.locked.postings.push(...postFor(lock, { ...row, status: to }, at))
  }`,
      },
    ],
  },
  'cancel-unconditionally': {
    what: 'an ended transaction can be canceled',
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: decide,
        from: "if (row.status !== 'pending' || not_due)",
        to: "if ((row.status !== 'pending' && command.to !== 'canceled') || not_due)",
      },
    ],
  },
  'split-tx': {
    what: 'balances and postings are written in two database transactions',
    instances: 1,
    faults: ['kill-server'],
    swaps: [
      {
        file: define_lane,
        from: `(some) =>
          db.batch((tx) => runBatch(tx, lane, some, skipLocked)),
        ),`,
        to: `async (some) => {
        let late = []
        const outcomes = await db.batch((tx) => {
          late = []
          lateOf.set(tx, late)
          return runBatch(tx, lane, some, skipLocked)
        })
        if (late.length > 0) await db.transaction(async (tx) => writeLedger(tx, [], late))
        return outcomes
      }),`,
      },
      {
        file: define_lane,
        from: '  writeLedger(tx, [...touched], postings)',
        to: `  writeLedger(tx, [...touched], lateOf.has(tx) ? [] : postings)
  lateOf.get(tx)?.push(...postings)`,
      },
      {
        file: define_lane,
        from: 'export function defineLane<',
        to: 'const lateOf = new WeakMap()\n\nexport function defineLane<',
      },
    ],
  },
  'webhook-outside-tx': {
    what: 'events are written before their change is committed',
    instances: 1,
    faults: ['kill-server', 'cancel-statements'],
    swaps: [
      {
        file: define_lane,
        from: 'db.batch((tx) => runBatch(tx, lane, some, skipLocked))',
        to: 'db.batch((tx) => runBatch(tx, lane, some, skipLocked, db))',
      },
      { file: define_lane, from: '  mode: LockMode,\n)', to: '  mode: LockMode,\n  db?: Db,\n)' },
      {
        file: define_lane,
        from: '  writeChanges(tx, set, lane.write)\n',
        to: `  const { events } = set.locked
  if (db) {
    const early = events.splice(0)
    await db.transaction(async (other) => recordEvents(other, early))
  }
  writeChanges(tx, set, lane.write)
`,
      },
    ],
  },
  'session-cache': {
    what: "a token's caller is cached for five seconds",
    instances: 1,
    faults: ['reset-clients'],
    swaps: [
      {
        file: 'src/identity/sessions/find-caller.ts',
        from: '    return find(sha256(token)).then(callerOf)',
        to: `    const known = cache.get(token)
    if (known && known.until > Date.now()) return Promise.resolve(known.caller)
    return find(sha256(token)).then((row) => {
      const caller = callerOf(row)
      if (caller) cache.set(token, { caller, until: Date.now() + 5_000 })
      return caller
    })`,
      },
      {
        file: 'src/identity/sessions/find-caller.ts',
        from: 'export function callerFinder(',
        to: 'const cache = new Map()\n\nexport function callerFinder(',
      },
    ],
  },
  'seq-outside-lock': {
    what: 'posting and event sequences are read before locking',
    instances: 2,
    faults: ['hold-locks'],
    swaps: [
      {
        file: ledger,
        from: `selectBalancesForUpdate(
  tx: Tx,
  account_ids: string[],
): Promise<AccountLock[]> {
  return tx.rows(sql\``,
        to: `selectBalancesForUpdate(
  tx: Tx,
  account_ids: string[],
): Promise<AccountLock[]> {
  const before = await tx.rows(sql\`
    select account_id, posting_sequence, event_sequence, last_transaction_id
    from balances
    where account_id = any(\${account_ids}::uuid[])\`)
  const numbers = new Map(before.map((row) => [row.account_id, row]))
  const locked = await tx.rows(sql\``,
      },
      {
        file: ledger,
        from: `    order by account_id
    for update\`)`,
        to: `    order by account_id
    for update\`)
  return locked.map((lock) => ({ ...lock, ...numbers.get(lock.account_id) }))`,
      },
    ],
  },
  'commit-tag-unchecked': {
    what: 'ROLLBACK in response to COMMIT counts as success',
    instances: 1,
    faults: ['cancel-statements', 'hold-locks'],
    swaps: [
      {
        file: 'src/postgres/client-tx.ts',
        from: '    if (this.#sent_failure !== undefined) throw this.#sent_failure\n',
        to: '',
      },
      {
        file: 'src/postgres/client-tx.ts',
        from: "if (command !== 'COMMIT') throw new RolledBackError()",
        to: "if (command === '') throw new RolledBackError()",
      },
    ],
  },
} as const satisfies Record<string, PlantedBug>

export type PlantedBugName = keyof typeof planted_bugs
export const plantedBugNames = Object.keys(planted_bugs) as PlantedBugName[]
