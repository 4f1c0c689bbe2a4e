// Part of `florin verify`: every payment request and subscription has the row of its customer.

import { findCustomersOf } from '../customers/find-customers.ts'
import { listAddresses as listPaymentAddresses } from '../payments/customer-requests.ts'
import type { Queryable } from '../postgres/database.ts'
import { type AccountRange, type Difference, differences_max } from '../postgres/difference.ts'
import { toTypeId } from '../primitives/ids.ts'
import { listSubscribers } from '../subscriptions/customer-subscriptions.ts'

interface Address {
  account_id: string
  email: string
}

type ListAddresses = typeof listPaymentAddresses

export async function verifyCustomers(db: Queryable, range: AccountRange): Promise<Difference[]> {
  return [
    ...(await verifyAddresses(db, range, listPaymentAddresses, 'payment requests')),
    ...(await verifyAddresses(db, range, listSubscribers, 'subscriptions')),
  ]
}

// Bounds the memory, however many customers an account has.
const page_size = 5_000

async function verifyAddresses(
  db: Queryable,
  range: AccountRange,
  list: ListAddresses,
  what: string,
): Promise<Difference[]> {
  const differences: Difference[] = []
  // range.after is exclusive: start after every address of that account.
  let after: Address = { account_id: range.after, email: '\u{10ffff}' }
  for (;;) {
    const page = await list(db, range, after, page_size)
    const known = await findCustomersOf(db, page)
    const known_keys = new Set(known.map((row) => row.account_id + row.email_canonical))
    const missing = page.filter(({ account_id, email }) => !known_keys.has(account_id + email))
    differences.push(...missing.slice(0, differences_max).map((one) => difference(one, what)))
    const last = page.at(-1)
    if (last === undefined || page.length < page_size) return differences
    if (differences.length >= differences_max) return differences
    after = last
  }
}

function difference({ account_id, email }: Address, what: string): Difference {
  return {
    rule: 'customers_are_stored',
    account_id: toTypeId('account', account_id),
    object: email,
    found: `${what} without a customer`,
    expected: 'a customer with this email',
  }
}
