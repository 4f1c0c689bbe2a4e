// Helpers for tests of one-time links: a live server with open sign-up, and the links in emails.

import assert from 'node:assert/strict'
import type { Db } from '../../../src/postgres/database.ts'
import { live_env } from '../../support/florin.ts'

export const open_live_env = {
  ...live_env,
  FLORIN_SIGNUP: 'open',
  FLORIN_SMTP_URL: 'smtp://127.0.0.1:9',
  FLORIN_EMAIL_FROM: 'Florin <pay@example.com>',
}

export const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface QueuedEmail {
  kind: string
  account_id: string
  facts: { url: string; email: string; account_name: string }
}

/** The emails to this address, oldest first. */
export async function emailsTo(db: Db, email: string): Promise<QueuedEmail[]> {
  const { rows } = await db.pool.query(
    `select kind, account_id, content::json -> 'facts' as facts from emails
     where recipient = $1 order by id`,
    [email],
  )
  return rows
}

/** The path of the link in the newest email of this kind. */
export async function linkTo(db: Db, email: string, kind: string): Promise<string> {
  const found = (await emailsTo(db, email)).findLast((one) => one.kind === kind)
  assert.ok(found, `no ${kind} email to ${email}`)
  const { origin, pathname } = new URL(found.facts.url)
  assert.equal(origin, 'https://pay.example')
  assert.match(pathname, /^\/(verify|reset|join)\/[\w-]{43}$/)
  return pathname
}

/** Lets all links and invitations expire. */
export async function expireLinks(db: Db): Promise<void> {
  await db.pool.query(`update one_time_links set expires_at = now() - interval '1 second'`)
  await db.pool.query(`update invitations set expires_at = now() - interval '1 second'`)
}
