// Creates a demo account with its owner and balance, before the first payment.

import { type AccountRow, presentAccount } from '../../accounts/account.ts'
import type { NumberedEvent } from '../../events/event.ts'
import { newEventId } from '../../events/event-id.ts'
import type { EventType } from '../../events/record-event.ts'
import { presentUser, type UserRow } from '../../identity/users/user.ts'
import type { AccountLock } from '../../ledger/lock-row.ts'
import { newUuid, nil_uuid, timeOfUuid } from '../../primitives/ids.ts'
import { demoAccount } from './demo-accounts.ts'
import type { Random } from './random.ts'

export interface OpenedAccount {
  account: AccountRow
  owner: UserRow
  lock: AccountLock
  events: NumberedEvent[]
  median_amount: number
}

export function openDemoAccount(random: Random, at: Date): OpenedAccount {
  const id = newUuid(at.getTime())
  const opened_at = timeOfUuid(id)
  const { settings, ...who } = demoAccount(random, id.slice(-12))
  const owner: UserRow = {
    id: newUuid(opened_at.getTime()),
    account_id: id,
    role: 'owner',
    status: 'active',
    email: who.email,
    name: who.owner_name,
    updated_at: opened_at,
    created_by_key_id: null,
  }
  const account: AccountRow = {
    id,
    owner_id: owner.id,
    type: who.type,
    status: 'active',
    email: who.email,
    name: who.name,
    ...settings,
    updated_at: opened_at,
    closed_at: null,
  }
  const lock: AccountLock = {
    account_id: id,
    currency: account.currency,
    status: 'active',
    available: 0,
    incoming: 0,
    held: 0,
    owed: 0,
    posting_sequence: 0,
    event_sequence: 0,
    last_transaction_id: nil_uuid,
    last_at: timeOfUuid(owner.id),
    metadata_day: 0,
    metadata_day_bytes: 0,
    open_subscriptions: 0,
  }
  const events = [
    numbered(lock, 'account.created', id, presentAccount(account)),
    numbered(lock, 'user.created', owner.id, presentUser(owner)),
  ]
  return { account, owner, lock, events, median_amount: who.median_amount }
}

function numbered(
  lock: AccountLock,
  type: EventType,
  object_id: string,
  data: object,
): NumberedEvent {
  lock.event_sequence += 1
  return {
    account_id: lock.account_id,
    sequence: lock.event_sequence,
    id: newEventId(lock.last_at, lock.event_sequence),
    type,
    object_id,
    at: lock.last_at,
    data: JSON.stringify(data),
  }
}
