// Which changes of subscriptions are kept in the audit log: as for transactions, whatever an admin
// does. See transactions/deed-of.ts for why a platform leaves none.

import { actorOf } from '../sessions/actor.ts'
import type { Caller } from '../sessions/caller.ts'
import type { EntryDeed } from '../transactions/deed-of.ts'
import type { SubscriptionCommand } from './commands.ts'

export function deedOf(caller: Caller, command: SubscriptionCommand): EntryDeed | undefined {
  if (caller.role !== 'admin' || command.kind === 'due') return undefined
  const details = command.kind === 'patch' && command.status ? { status: command.status } : {}
  return { actor: actorOf(caller), action: actions[command.kind], details }
}

const actions = {
  create: 'subscription.created',
  patch: 'subscription.updated',
  cancel: 'subscription.canceled',
} as const
