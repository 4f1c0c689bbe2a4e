// A customer: one email address that an account has requested payments from. The row has no sums:
// src/operations/customers.ts adds them from payment requests and subscriptions.

import { canonicalEmail } from '../primitives/email-address.ts'
import { Refusal } from '../primitives/refusal.ts'

export interface CustomerRow {
  account_id: string
  id: string
  /** As first spelled. */
  email: string
  email_canonical: string
  erased_at: Date | null
}

/** What a customer is created from: the first payment request to the address. */
export interface CustomerSource {
  account_id: string
  id: string
  customer_email: string
}

type NewCustomer = Omit<CustomerRow, 'erased_at'>

/** One row per account and address; the earliest source gives the id. */
export function newCustomers(sources: readonly CustomerSource[]): NewCustomer[] {
  const rows = new Map<string, NewCustomer>()
  for (const { account_id, id, customer_email: email } of sources) {
    const email_canonical = canonicalEmail(email)
    const key = account_id + email_canonical
    const known = rows.get(key)
    if (known !== undefined && known.id <= id) continue
    rows.set(key, { account_id, id, email, email_canonical })
  }
  return [...rows.values()]
}

export function unknownCustomer(): Refusal {
  return new Refusal('not_found', 'No customer with this id exists. Check the id and its prefix.')
}
