import type { RowKey } from '../lanes/row-set.ts'
import type { Queryable } from '../postgres/database.ts'
import type { AccountRange } from '../postgres/difference.ts'
import { fingerprint } from '../postgres/fingerprint.ts'
import { sql } from '../postgres/sql.ts'
import { accountsOf, sqlRows } from '../postgres/sql-rows.ts'

export interface TransferFacts {
  account_id: string
  last_at: Date
  /** The minimum and the maximum. */
  currencies: [string, string]
  /** Of the postings that the transfers must have. */
  fingerprint: string
  /** Transfers whose returned amount does not fit their status. */
  broken: number
}

export async function selectTransferFacts(
  db: Queryable,
  range: AccountRange,
): Promise<TransferFacts[]> {
  const of = (movement: 'withdraw' | 'reinstate', amount: 'amount' | 'received' | 'returned') => {
    const amounts = {
      amount: sql`amount`,
      received: sql`case side when 'fee' then fee_amount else amount - fee_amount end`,
      returned: sql`returned_amount`,
    }
    const movements = { withdraw: sql`'withdraw'`, reinstate: sql`'reinstate'` }
    return fingerprint(sql`id`, movements[movement], amounts[amount])
  }
  return db.rows(sql`
    select account_id, max(updated_at) as last_at,
      array[min(currency), max(currency)] as currencies,
      (coalesce(sum(${of('withdraw', 'amount')}) filter (where side = 'out'), 0)
        + coalesce(sum(${of('reinstate', 'returned')})
          filter (where side = 'out' and returned_amount > 0), 0)
        + coalesce(sum(${of('reinstate', 'received')}) filter (where side <> 'out'), 0)
      )::text as fingerprint,
      count(*) filter (where returned_amount <> case
        when side <> 'out' or status = 'in_transit' then 0
        when status = 'returned' then amount
        when reason is null then 0
        else fee_amount end) as broken
    from transfers
    where account_id > ${range.after} and account_id <= ${range.through} and status <> 'rejected'
    group by account_id`)
}

interface ExpectedMovements {
  transaction_id: string
  /** Sorted, each with its amount, such as "withdraw 500". */
  movements: string[]
}

export async function selectExpectedMovements(
  db: Queryable,
  account_id: string,
): Promise<ExpectedMovements[]> {
  return db.rows(sql`
    select id as transaction_id,
      array_agg(movement || ' ' || amount order by movement, amount) as movements
    from (
      select id, 'withdraw' as movement, amount
      from transfers
      where account_id = ${account_id} and side = 'out'
      union all
      select id, 'reinstate', returned_amount
      from transfers
      where account_id = ${account_id} and side = 'out' and returned_amount > 0
      union all
      select id, 'reinstate', case side when 'fee' then fee_amount else amount - fee_amount end
      from transfers
      where account_id = ${account_id} and side <> 'out' and status <> 'rejected') as expected
    group by id`)
}

// The last two digits of an id are random: 256 parts of about the same size.
const part = sql`right(id::text, 2)`

const of_target = fingerprint(sql`id`, sql`'in' || to_account_id::text`, sql`amount - fee_amount`)
const of_fee_account = fingerprint(sql`id`, sql`'fee' || fee_account_id::text`, sql`fee_amount`)
const of_receipt = fingerprint(
  sql`id`,
  sql`side || account_id::text`,
  sql`case side when 'fee' then fee_amount else amount - fee_amount end`,
)

interface TransferPart {
  part: string
  /** Of the receipts that completed transfers must have. */
  expected: string
  /** Of all receipts. */
  found: string
}

export async function selectTransferParts(db: Queryable): Promise<TransferPart[]> {
  return db.rows(sql`
    select ${part} as part,
      (coalesce(sum(${of_target}) filter (where side = 'out' and status = 'completed'), 0)
        + coalesce(sum(${of_fee_account}) filter (where side = 'out' and status = 'completed'
          and fee_amount > 0 and returned_amount = 0), 0))::text as expected,
      coalesce(sum(${of_receipt})
        filter (where side <> 'out' and status = 'completed'), 0)::text as found
    from transfers
    group by 1`)
}

/** A receipt that a transfer in transit may already have. */
interface EarlyReceipt extends RowKey {
  side: 'in' | 'fee'
  amount: number
  fee_amount: number
}

export async function selectReceiptsInTransit(db: Queryable): Promise<EarlyReceipt[]> {
  return db.rows(sql`
    select to_account_id as account_id, id, 'in' as side, amount, fee_amount
    from transfers
    where status = 'in_transit'
    union all
    select fee_account_id, id, 'fee', amount, fee_amount
    from transfers
    where status = 'in_transit' and fee_account_id is not null`)
}

const earlyReceipts = sqlRows(
  'account_id uuid, id uuid, side text, amount bigint, fee_amount bigint',
)

/** Only receipts that fit their transfer. */
export async function selectReceiptParts(
  db: Queryable,
  receipts: EarlyReceipt[],
): Promise<{ part: string; early: string }[]> {
  return db.rows(sql`
    select right(transfers.id::text, 2) as part,
      sum(${fingerprint(
        sql`transfers.id`,
        sql`transfers.side || transfers.account_id::text`,
        sql`case transfers.side when 'fee' then transfers.fee_amount
          else transfers.amount - transfers.fee_amount end`,
      )})::text as early
    from ${earlyReceipts.from(receipts)}
    join transfers
      on transfers.account_id = it.account_id and transfers.id = it.id
      and transfers.side = it.side and transfers.amount = it.amount
      and transfers.fee_amount = it.fee_amount
    where transfers.account_id = any(${accountsOf(receipts)}::uuid[]) and status = 'completed'
    group by 1`)
}

export interface PairedRow extends RowKey {
  side: 'out' | 'in' | 'fee'
  to_account_id: string
  fee_account_id: string | null
  amount: number
  fee_amount: number
  returned_amount: number
  status: string
}

export async function selectTransfersOfPart(db: Queryable, of_part: string): Promise<PairedRow[]> {
  return db.rows(sql`
    select account_id, id, side, to_account_id, fee_account_id, amount, fee_amount,
      returned_amount, status
    from transfers
    where ${part} = ${of_part} and status <> 'rejected'
    order by id`)
}
