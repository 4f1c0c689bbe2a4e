// Navigation entries. An entry is visible when its page exists and the user has the permission that
// the page needs.

import { settings_sections } from '../pages/settings/settings-sections.ts'
import type { IconName } from '../parts/icon.tsx'

interface Entry {
  name: string
  to: string
  icon: IconName
  /** An operation of the server's permission table. Without it every user sees the entry. */
  needs?: string
  sandbox?: boolean
}

export interface Section {
  name: string | undefined
  entries: Entry[]
}

const sections: Section[] = [
  {
    name: undefined,
    entries: [
      { name: 'Home', to: '/', icon: 'home' },
      { name: 'Transactions', to: '/transactions', icon: 'transactions' },
      { name: 'Payment requests', to: '/payments', icon: 'payments', needs: 'list_payments' },
      { name: 'Customers', to: '/customers', icon: 'person', needs: 'list_customers' },
      {
        name: 'Payment links',
        to: '/payment-links',
        icon: 'links',
        needs: 'list_payment_links',
      },
      { name: 'Disputes', to: '/disputes', icon: 'disputes', needs: 'list_disputes' },
      { name: 'Transfers', to: '/transfers', icon: 'transfers', needs: 'list_transfers' },
      { name: 'Payouts', to: '/payouts', icon: 'payouts', needs: 'list_payouts' },
      {
        name: 'Subscriptions',
        to: '/subscriptions',
        icon: 'subscriptions',
        needs: 'list_subscriptions',
      },
      { name: 'Statement', to: '/statement', icon: 'statement', needs: 'read_balance' },
    ],
  },
  {
    name: 'Developers',
    entries: [
      { name: 'Events', to: '/events', icon: 'events', needs: 'read_events' },
      { name: 'Webhooks', to: '/webhooks', icon: 'webhooks', needs: 'manage_webhooks' },
      { name: 'API keys', to: '/api-keys', icon: 'key', needs: 'manage_api_keys' },
      { name: 'Request log', to: '/requests', icon: 'requests', needs: 'read_request_logs' },
      { name: 'Emails', to: '/emails', icon: 'mail', needs: 'read_emails' },
      { name: 'Clock', to: '/clock', icon: 'clock', needs: 'advance_clock', sandbox: true },
    ],
  },
  {
    name: 'Admin',
    entries: [
      { name: 'Users', to: '/users', icon: 'users', needs: 'list_users' },
      { name: 'Accounts', to: '/accounts', icon: 'accounts', needs: 'list_accounts' },
      { name: 'Bank', to: '/bank', icon: 'bank', needs: 'read_bank_statements' },
      {
        name: 'Reconciliation',
        to: '/reconciliation',
        icon: 'reconciliation',
        needs: 'read_settlements',
      },
      { name: 'Audit log', to: '/audit', icon: 'audit', needs: 'read_audit_log' },
      // Platforms see the payment providers there, admins also the server.
      { name: 'Health', to: '/health', icon: 'health', needs: 'read_processor' },
    ],
  },
  {
    name: 'Account',
    // Every user has a name and a password to change.
    entries: [{ name: 'Settings', to: '/settings', icon: 'settings' }],
  },
]

export function visibleSections(
  mode: 'sandbox' | 'live',
  hasPage: (path: string) => boolean,
): Section[] {
  const isShown = (entry: Entry) =>
    hasPage(entry.to) && (entry.sandbox !== true || mode === 'sandbox')
  return sections
    .map((section) => ({ ...section, entries: section.entries.filter(isShown) }))
    .filter((section) => section.entries.length > 0)
}

// A detail page needs the permission of its list, except for these: an owner may view a member, but
// not the list of all users.
const needs_of_one: Record<string, string> = {
  '/users/$id': 'retrieve_user',
  '/accounts/$id': 'retrieve_account_by_id',
}

/** The operation that a page needs; undefined if every user may open it. */
export function requiredPermission(path: string): string | undefined {
  const list = `/${path.split('/')[1]}`
  const entries = [...settings_sections, ...sections.flatMap((section) => section.entries)]
  const found = entries.find(({ to }) => to === path) ?? entries.find(({ to }) => to === list)
  return needs_of_one[path] ?? found?.needs
}

/** The entry to offer on an error page: the list of the page, or Home. Undefined on Home. */
export function findFallbackEntry(path: string, may: string[]): Entry | undefined {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const entries = sections.flatMap((section) => section.entries)
  const list = entries.find(({ to }) => to === `/${first}`)
  const is_open = list !== undefined && (list.needs === undefined || may.includes(list.needs))
  if (rest.length > 0 && is_open) return list
  return first === '' ? undefined : entries[0]
}

/** The page for each id prefix. Paths without `$id` are lists. */
const pagesOfIds: Record<string, string> = {
  txn: '/transactions/$id',
  pay: '/payments/$id',
  dsp: '/disputes/$id',
  tr: '/transfers/$id',
  po: '/payouts/$id',
  stl: '/reconciliation/$id',
  bse: '/bank/$id',
  sub: '/subscriptions/$id',
  cus: '/customers/$id',
  lnk: '/payment-links/$id',
  evt: '/events/$id',
  we: '/webhooks/$id',
  wd: '/webhooks/deliveries/$id',
  eml: '/emails/$id',
  usr: '/users/$id',
  acct: '/accounts/$id',
  req: '/requests/$id',
  ses: '/sessions',
  aud: '/audit',
}

export function pageOfId(id: string): string | undefined {
  const prefix = /^([a-z]+)_[0-9a-z]{20,}$/.exec(id)?.[1]
  return prefix === undefined ? undefined : pagesOfIds[prefix]
}
