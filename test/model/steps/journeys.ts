// Steps that belong together. Errors that need three or four specific steps in a row would hardly
// ever be found by chance.

import fc from 'fast-check'
import { accountParts } from './accounts.ts'
import { type ModelStep, newest } from './choices.ts'
import { developerParts } from './developers.ts'
import { moneyParts } from './money.ts'
import { paymentParts } from './payments.ts'
import { peopleParts } from './people.ts'
import { subscriptionParts } from './subscriptions.ts'

const by_owner = { caller: 'owner', header: 'fitting', account: 0 } as const
const to_newest = { caller: 'owner', header: 'fitting', number: newest } as const
const day_s = 86_400

const pauseAndResume = fc.tuple(
  subscriptionParts.create.with({ ...by_owner, interval: 'day', currency: 'USD' }),
  subscriptionParts.update.with({ ...to_newest, status: 'paused' }),
  subscriptionParts.advance.with({ caller: 'admin', seconds: 3 * day_s }),
  subscriptionParts.update.with({ ...to_newest, status: 'active' }),
  subscriptionParts.advance.with({ caller: 'admin', seconds: day_s }),
)

const skipPeriods = fc.tuple(
  subscriptionParts.create.with({ ...by_owner, interval: 'day', currency: 'USD' }),
  accountParts.setStatus.with({ caller: 'admin', number: 0, status: 'suspended' }),
  subscriptionParts.advance.with({ caller: 'admin', seconds: 3 * day_s }),
  accountParts.setStatus.with({ caller: 'admin', number: 0, status: 'active' }),
  subscriptionParts.advance.with({ caller: 'admin', seconds: day_s }),
)

const expire = fc.tuple(
  paymentParts.create.with({ ...by_owner, currency: 'USD' }),
  subscriptionParts.advance.with({ caller: 'admin', seconds: 30 * day_s }),
  paymentParts.retrieve.with(to_newest),
)

const renameLogin = fc.tuple(
  accountParts.update.with({ ...by_owner, email: 'new' }),
  peopleParts.login.with({ number: 0 }),
)

const payment = { ...by_owner, type: 'payment', currency: 'USD' } as const
const refund = { ...by_owner, type: 'refund', currency: 'USD', reference: newest } as const

const refundInParts = fc.tuple(
  moneyParts.create.with({ ...payment, amount: 200 }),
  moneyParts.settle.with({ ...to_newest, caller: 'admin', outcome: 'succeeded' }),
  moneyParts.create.with({ ...refund, amount: 120 }),
  moneyParts.create.with({ ...refund, amount: 81 }),
  moneyParts.create.with({ ...refund, amount: 80 }),
)

const revokeKeysBySuspending = fc.tuple(
  developerParts.createApiKey.with({ ...by_owner, scopes: ['*'] }),
  peopleParts.update.with({ caller: 'admin', number: 0, status: 'suspended' }),
  peopleParts.update.with({ caller: 'admin', number: 0, status: 'active' }),
)

const deactivateUser = fc.tuple(
  peopleParts.update.with({ caller: 'admin', number: 2, status: 'pending' }),
  peopleParts.login.with({ number: 2 }),
)

const reuseToken = fc.tuple(
  peopleParts.renew.with({ token: 'current' }),
  peopleParts.renew.with({ token: 'used', number: newest }),
)

const closeAndSignUpAgain = fc.tuple(
  accountParts.close.with(by_owner),
  peopleParts.create.with({ caller: 'anonymous', email: 'former', short: false }),
)

export const journeys: fc.Arbitrary<ModelStep[]>[] = [
  pauseAndResume,
  skipPeriods,
  expire,
  renameLogin,
  refundInParts,
  revokeKeysBySuspending,
  deactivateUser,
  reuseToken,
  closeAndSignUpAgain,
]
