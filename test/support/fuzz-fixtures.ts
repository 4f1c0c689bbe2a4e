// The users and objects that generated requests name: one of each kind, replaced after requests
// have deleted, ended or logged them out.

import { sql } from '../../src/postgres/sql.ts'
import { findUuid, newUuid, toTypeId } from '../../src/primitives/ids.ts'
import { columnMap } from '../bank/statements/write-samples.ts'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { DisputeFixtures } from '../disputes/dispute-fixtures.ts'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { insertSettlement } from '../settlements/insert-settlement.ts'
import type { Shop } from '../transactions/transaction-fixtures.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'
import type { Florin } from './florin.ts'
import type { callers } from './fuzz-requests.ts'
import { credentials, type Owner, type Person } from './people.ts'
import { enrollTotp } from './totp.ts'

type Who = Exclude<(typeof callers)[number], 'none'>

/** The number of every example id in the OpenAPI document. */
const unknown_number = '01h455vb4pex5vsknk084sn02q'

/** Creates the first fixtures. */
export async function openFuzzFixtures(florin: Florin): Promise<FuzzFixtures> {
  const fixtures = new FuzzFixtures(florin, await florin.people.owner())
  await fixtures.refresh()
  return fixtures
}

class FuzzFixtures {
  /** Set after a request that may have changed a fixture. */
  needs_refresh = true
  readonly #florin: Florin
  #foreign: Owner
  #people: (Record<Who, Person> & { owner: Owner }) | undefined
  /** The current object of each kind, by the path parameter. */
  readonly #current = new Map<string, string>()
  /**
   * Deleted, canceled and revoked objects, which later requests read and change as if they
   * existed.
   */
  readonly #ended = new Map<string, string>()
  #payee: Shop | undefined
  #customer_email = ''
  #refreshes = 0

  constructor(florin: Florin, foreign: Owner) {
    this.#florin = florin
    this.#foreign = foreign
  }

  get #now() {
    return this.#people!
  }

  /**
   * Requests delete, suspend and log out the users who send them. A user without a session gets a
   * new one, which is cheap; a deleted user is replaced, which costs a password hash.
   */
  async refresh(): Promise<void> {
    if (!this.needs_refresh) return
    const make = this.#florin.people
    const old = this.#people
    // Requests create subscriptions and payouts, which keep an account from being closed, and close
    // accounts, which then receive no transfers.
    const has_new_accounts = this.#refreshes % 10 === 9
    const old_owner = has_new_accounts ? undefined : old?.owner
    if (has_new_accounts) this.#foreign = await make.owner()
    const [admin, platform, owner, lone] = await Promise.all([
      this.#keepOr(old?.admin, () => make.admin()),
      this.#keepOr(old?.platform, () => make.platform()),
      this.#keepOr(old_owner, () => make.owner()),
      this.#keepOr(old?.lone, () => make.lone()),
    ])
    const colleague = owner.id === old?.owner.id ? old.member : undefined
    const member = await this.#keepOr(colleague, () => make.member(owner))
    this.#people = { admin, platform, owner, lone, member }
    await this.#reopen(owner)
    await this.#replaceObjects(admin, owner)
    this.#refreshes += 1
    if (this.#refreshes % 25 === 1) await this.#endOneOfEach(owner)
    this.needs_refresh = false
  }

  async #replaceObjects(admin: Person, owner: Owner): Promise<void> {
    const current = this.#current
    const disputed = await this.#createDispute(admin, owner)
    const documented = await this.#issueDocuments(admin, owner)
    // A pending payment can be settled and canceled, a disputed one has a charge, and a refund has
    // a credit note.
    const is_pending = this.#refreshes % 2 === 0
    const has_documents = this.#refreshes % 4 === 3
    const ended_id = has_documents ? documented.refund_id : disputed.transaction_id
    current.set('{dispute_id}', disputed.id)
    current.set('{document_id}', documented.id)
    current.set('{transaction_id}', is_pending ? await this.#createTransaction(owner) : ended_id)
    current.set('{transfer_id}', await this.#createTransfer(admin, owner))
    await new PayoutFixtures(this.#florin, admin).setDestination(owner)
    await this.#replacePayout(admin)
    await this.#replaceBankEntry(admin)
    const payment_id = has_documents ? documented.payment_id : this.#createPayment(owner)
    current.set('{payment_id}', await payment_id)
    current.set('{subscription_id}', await this.#createSubscription(owner))
    current.set('{customer_id}', await this.#createCustomer(owner))
    current.set('{payment_link_id}', await this.#createLink(owner))
    current.set('{key_id}', await this.#createKey(owner))
    current.set('{event_id}', await this.#newest(owner, 'events', 'evt'))
    current.set('{email_id}', await this.#newest(admin, 'emails', 'eml'))
    current.set('{invitation_id}', await this.#createInvitation(owner))
    current.set('{factor_id}', await this.#enrollFactor(owner))
    current.set('{identity_id}', await this.#linkIdentity(owner))
    await this.#replaceEndpoint(owner)
  }

  /** Of another account, because an open payout would keep the account from being closed. */
  async #replacePayout(admin: Person): Promise<void> {
    const fixtures = new PayoutFixtures(this.#florin, admin)
    if (this.#payee === undefined) {
      this.#payee = await fixtures.payable(1_000_000)
      await fixtures.setLimit(this.#payee, 0)
      const { export_id } = await fixtures.inTransit(this.#payee)
      this.#current.set('{export_id}', export_id!)
    }
    // Approvable, or exportable, or resolvable.
    const states = ['created', 'approved', 'inTransit'] as const
    const payout = await fixtures[states[this.#refreshes % 3]!](this.#payee, 1)
    this.#current.set('{payout_id}', payout.id)
  }

  /** A statement with an entry that no worker matches, a column map and a settlement. */
  async #replaceBankEntry(admin: Person): Promise<void> {
    const current = this.#current
    const bank = new BankFixtures(this.#florin, admin)
    const file = fileOf([{ signed: 100, text: 'thank you' }])
    const [statement] = await bank.import(file.replaceAll('EUR', 'USD'))
    const [entry] = await bank.entriesOf(statement.id)
    current.set('{statement_id}', statement.id)
    current.set('{entry_id}', entry.id)
    const map = { token: admin.token, body: { name: 'A bank', column_map: columnMap } }
    await this.#florin.call('POST', '/v1/bank_column_maps', map)
    current.set('{name}', map.body.name)
    if (current.has('{settlement_id}')) return
    current.set('{settlement_id}', await insertSettlement(this.#florin.db))
  }

  /** The endpoint, and a delivery to it. */
  async #replaceEndpoint(owner: Owner): Promise<void> {
    this.#current.set('{endpoint_id}', await this.#createEndpoint(owner))
    this.#current.set('{delivery_id}', await this.#testEndpoint(owner))
  }

  async #endOneOfEach(owner: Owner): Promise<void> {
    const { token } = owner
    const end = async (parameter: string, id: string, method: string, path: string, by = token) => {
      await this.#florin.call(method, path.replace('{}', id), { token: by })
      this.#ended.set(parameter, id)
    }
    const ended = {
      transaction: await this.#createTransaction(owner),
      payment: await this.#createPayment(owner),
      subscription: await this.#createSubscription(owner),
      key: await this.#createKey(owner),
      invitation: await this.#createInvitation(owner),
      identity: await this.#linkIdentity(owner),
    }
    await end('{transaction_id}', ended.transaction, 'DELETE', '/v1/transactions/{}')
    await end('{payment_id}', ended.payment, 'POST', '/v1/payments/{}/cancel')
    await end('{subscription_id}', ended.subscription, 'DELETE', '/v1/subscriptions/{}')
    await end('{key_id}', ended.key, 'DELETE', '/v1/api_keys/{}')
    await end('{invitation_id}', ended.invitation, 'DELETE', '/v1/account/invitations/{}')
    await end('{identity_id}', ended.identity, 'DELETE', '/v1/user/identities/{}')
    const { id } = await this.#florin.people.member(owner)
    await end('{user_id}', id, 'DELETE', '/v1/users/{}', this.#now.admin.token)
    // The delivery is deleted with its endpoint, and both are created again.
    this.#ended.set('{delivery_id}', this.#current.get('{delivery_id}')!)
    const endpoint_id = this.#current.get('{endpoint_id}')!
    await end('{endpoint_id}', endpoint_id, 'DELETE', '/v1/webhook_endpoints/{}')
    await this.#replaceEndpoint(owner)
  }

  /** A request may have suspended the account, which then could not create or send anything. */
  async #reopen({ account_id }: Owner): Promise<void> {
    const { token } = this.#now.admin
    const body = { status: 'active' }
    await this.#florin.call('PATCH', `/v1/accounts/${account_id}`, { token, body })
  }

  async #keepOr<Kind extends Person>(person: Kind | undefined, make: () => Promise<Kind>) {
    if (person === undefined) return make()
    const { status } = await this.#florin.call('GET', '/v1/auth/sessions', { token: person.token })
    if (status === 200) return person
    const id = findUuid('user', person.id)
    const active = await this.#florin.db.row(sql`
      select 1 from users where id = ${id} and email = ${person.email} and status = 'active'`)
    return active ? { ...person, ...(await this.#florin.people.session(person)) } : make()
  }

  /** Returns the new object's id, or an unknown one if the account cannot have it now. */
  async #create(path: string, token: string, prefix: string, body?: object): Promise<string> {
    const response = await this.#florin.call('POST', path, { token, ...(body && { body }) })
    return response.body.id ?? `${prefix}_${unknown_number}`
  }

  /** Pending until one of the requests ends it. */
  #createTransaction({ token, account_id }: Owner): Promise<string> {
    const body = { account_id, amount: 100, currency: 'USD', type: 'payment' }
    return this.#create('/v1/transactions', token, 'txn', body)
  }

  #createPayment({ token, account_id }: Owner, customer_email = 'c@example.com'): Promise<string> {
    const body = { account_id, amount: 100, currency: 'USD', customer_email }
    return this.#create('/v1/payments', token, 'pay', body)
  }

  /** The account may have another currency now, and then has no new dispute. */
  #createDispute(admin: Person, owner: Owner): Promise<{ id: string; transaction_id: string }> {
    const transaction_id = this.#current.get('{transaction_id}') ?? `txn_${unknown_number}`
    const unknown = { id: `dsp_${unknown_number}`, transaction_id }
    return new DisputeFixtures(this.#florin, admin).dispute(owner).catch(() => unknown)
  }

  /**
   * The receipt of a paid request and the credit note of its refund. They are issued here, because
   * the first GET of a document changes the database.
   */
  async #issueDocuments(admin: Person, owner: Owner) {
    const { token } = owner
    const settle = (path: string) =>
      this.#florin.call('POST', `/v1/${path}/settle`, {
        token: admin.token,
        body: { outcome: 'succeeded' },
      })
    const payment_id = await this.#createPayment(owner)
    const { body: paid } = await settle(`payments/${payment_id}`)
    const receipt = await this.#florin.call('GET', `/v1/payments/${payment_id}/receipt`, { token })
    const id = receipt.body.id ?? `doc_${unknown_number}`
    const refund = { account_id: owner.account_id, amount: 40, currency: 'USD', type: 'refund' }
    const body = { ...refund, reference: paid.transaction_id }
    const refund_id = await this.#create('/v1/transactions', token, 'txn', body)
    await settle(`transactions/${refund_id}`)
    await this.#florin.call('GET', `/v1/transactions/${refund_id}/credit_note`, { token })
    return { id, payment_id, refund_id }
  }

  /** The account may have another currency now, and then has no new transfer. */
  async #createTransfer(admin: Person, owner: Owner): Promise<string> {
    const fixtures = new TransferFixtures(this.#florin, admin)
    const shop = { ...owner, uuid: findUuid('account', owner.account_id)! }
    try {
      await fixtures.fund(shop, 10)
      return (await fixtures.transfer(shop, await this.#florin.people.owner(), 1)).id
    } catch {
      return `tr_${unknown_number}`
    }
  }

  /** Without a pending request, which would keep the customer from being erased. */
  async #createCustomer(owner: Owner): Promise<string> {
    this.#customer_email = credentials('customer').email
    const payment_id = await this.#createPayment(owner, this.#customer_email)
    await this.#florin.call('POST', `/v1/payments/${payment_id}/cancel`, { token: owner.token })
    return this.#newest(owner, 'customers', 'cus')
  }

  #createLink({ token }: Owner): Promise<string> {
    const body = { title: 'Tip', amount_min: 100, amount_max: 900 }
    return this.#create('/v1/payment_links', token, 'lnk', body)
  }

  /** Paused, because an active subscription would keep the account from being closed. */
  async #createSubscription({ token }: Owner): Promise<string> {
    const fields = { amount: 100, currency: 'USD', customer_email: 'c@example.com' }
    const body = { ...fields, interval: 'month' }
    const id = await this.#create('/v1/subscriptions', token, 'sub', body)
    const paused = { status: 'paused' }
    await this.#florin.call('PATCH', `/v1/subscriptions/${id}`, { token, body: paused })
    return id
  }

  /** The newest object of a list; an unknown id if there is none. */
  async #newest({ token }: Person, list: string, prefix: string): Promise<string> {
    const response = await this.#florin.call('GET', `/v1/${list}?limit=1`, { token })
    return response.body.data?.[0]?.id ?? `${prefix}_${unknown_number}`
  }

  #createKey({ token }: Owner): Promise<string> {
    return this.#create('/v1/api_keys', token, 'key', { name: 'A key', scopes: ['*'] })
  }

  /** Revokes open invitations first: an account may have a hundred. */
  async #createInvitation({ token }: Owner): Promise<string> {
    const path = '/v1/account/invitations'
    const old = await this.#florin.call('GET', path, { token })
    for (const { id } of old.body.data ?? []) {
      await this.#florin.call('DELETE', `${path}/${id}`, { token })
    }
    const { email } = credentials('invited')
    return this.#create(path, token, 'inv', { email, role: 'member' })
  }

  /** An authenticator app, unless the owner still has one. */
  async #enrollFactor({ token }: Owner): Promise<string> {
    const { body } = await this.#florin.call('GET', '/v1/user/factors', { token })
    return body.data[0]?.id ?? (await enrollTotp(this.#florin.call, { token })).factor_id
  }

  /** A row without a provider, which only test/identity/oidc has. */
  async #linkIdentity({ id: user_id, email }: Owner): Promise<string> {
    const id = newUuid(Date.now())
    await this.#florin.db.count(sql`
      insert into user_identities (issuer, subject, id, user_id, email)
      values ('https://login.example', ${id}::uuid::text, ${id}, ${findUuid('user', user_id)},
        ${email})`)
    return toTypeId('identity', id)
  }

  /**
   * Nothing is sent, because no worker runs here. Deletes old endpoints first: an account may have
   * twenty.
   */
  async #createEndpoint({ token }: Owner): Promise<string> {
    const path = '/v1/webhook_endpoints'
    const old = await this.#florin.call('GET', `${path}?limit=100`, { token })
    for (const { id } of old.body.data ?? []) {
      await this.#florin.call('DELETE', `${path}/${id}`, { token })
    }
    return this.#create(path, token, 'we', { url: 'https://example.com/webhooks', events: ['*'] })
  }

  #testEndpoint({ token }: Owner): Promise<string> {
    const endpoint_id = this.#current.get('{endpoint_id}')
    return this.#create(`/v1/webhook_endpoints/${endpoint_id}/test`, token, 'wd')
  }

  tokenOf(name: string): string | undefined {
    return Object.hasOwn(this.#now, name) ? this.#now[name as Who].token : undefined
  }

  idFor(name: string): string {
    if (Object.hasOwn(this.#now, name)) return this.#now[name as Who].id
    if (name === 'account') return this.#now.owner.account_id
    if (name === 'foreign') return this.#foreign.account_id
    if (name === 'unknown') return `usr_${unknown_number}`
    return name
  }

  /** For a parameter of another kind, a person's name selects the current object of that kind. */
  idAt(path: string, parameter: string, name: string): string {
    if (name === 'unknown') return this.#ended.get(parameter) ?? this.idFor(name)
    if (!Object.hasOwn(this.#now, name)) return this.idFor(name)
    // Of all people only the member has a role that can be changed.
    if (path.startsWith('/v1/account/users/')) return this.idFor('member')
    if (parameter === '{account_id}') return this.idFor('account')
    return this.#current.get(parameter) ?? this.idFor(name)
  }

  /**
   * Replaces the example ids of the OpenAPI document with an account, a transaction and a payment
   * request that exist, and the confirmation of an erasure with the email of the customer. Money
   * is transferred to another account.
   */
  withRealIds(text: string): string {
    return text
      .replaceAll(/("(?:to|fee)_account_id":)"acct_\w+"/g, `$1"${this.#foreign.account_id}"`)
      .replaceAll(`acct_${unknown_number}`, this.#now.owner.account_id)
      .replaceAll(`txn_${unknown_number}`, this.#current.get('{transaction_id}')!)
      .replaceAll(`pay_${unknown_number}`, this.#current.get('{payment_id}')!)
      .replace(/"confirm_email":"[^"]*@[^"]*"/, `"confirm_email":"${this.#customer_email}"`)
  }
}
