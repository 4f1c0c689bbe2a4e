// Changes the branding of an account. It decides what payers see and where they send their money,
// so API keys cannot change it and every change has an audit entry.

import { hash } from 'node:crypto'
import { recordAuditEntry } from '../../audit/record-audit-entry.ts'
import { changeOnce } from '../../idempotency/change-once.ts'
import {
  findActingAccount,
  lockOpenAccount,
  unknownActingAccount,
} from '../../identity/acting-account.ts'
import type { Caller } from '../../identity/caller.ts'
import { actorOf } from '../../identity/sessions/actor.ts'
import { timeUnderLock } from '../../ledger/account-lock.ts'
import type { Db, Tx } from '../../postgres/database.ts'
import { Refusal } from '../../primitives/refusal.ts'
import { isBlank, isPlainText, quote } from '../../primitives/text.ts'
import { readReturnUrl } from '../return-origins.ts'
import { readAccentColor } from './accent-color.ts'
import {
  type Branding,
  type BrandingFields,
  type BrandingRow,
  no_logo,
  presentBranding,
} from './branding.ts'
import { findBranding } from './find-branding.ts'
import { findImageHeader } from './image-header.ts'
import { deleteOldLogos, type Logo, upsertBranding, upsertLogo } from './queries.ts'

/** What the URLs in the branding depend on. */
interface ServerFacts {
  db: Db
  public_url: string
  sandbox: boolean
}

/** null removes a value; an omitted field keeps it. */
export async function updateBranding(
  server: ServerFacts,
  caller: Caller,
  changes: Partial<BrandingFields>,
): Promise<Branding> {
  const read = readFields(changes, server.sandbox)
  return change(server, caller, async (_, before) => ({ ...before, ...read }))
}

// Emails that were sent link to earlier logos. An account that uploads more loses the oldest.
const logos_max = 10

/** `image` is base64. The same image again changes nothing. */
export async function setLogo(
  server: ServerFacts,
  caller: Caller,
  image: string,
): Promise<Branding> {
  const logo = readLogo(image)
  return change(server, caller, async (tx, before) => {
    await upsertLogo(tx, before.account_id, logo)
    await deleteOldLogos(tx, before.account_id, { except_newest: logos_max })
    const { hash: logo_hash, width: logo_width, height: logo_height } = logo
    return { ...before, logo_hash, logo_width, logo_height }
  })
}

/** Also deletes the earlier logos, to which emails may link. */
export async function deleteLogo(server: ServerFacts, caller: Caller): Promise<Branding> {
  return change(server, caller, async (tx, before) => {
    await deleteOldLogos(tx, before.account_id, { except_newest: 0 })
    return { ...before, ...no_logo }
  })
}

async function change(
  { db, public_url }: ServerFacts,
  caller: Caller,
  work: (tx: Tx, before: BrandingRow) => Promise<BrandingRow>,
): Promise<Branding> {
  const account_id = findActingAccount(caller)
  if (account_id === undefined) throw unknownActingAccount(caller)
  return changeOnce(db, caller.idempotency, async (tx) => {
    const lock = await lockOpenAccount(tx, caller, account_id)
    const before = await findBranding(tx, account_id)
    const after = await work(tx, before)
    const details = changedFields(before, after)
    if (Object.keys(details).length === 0) return presentBranding(before, public_url)
    after.updated_at = timeUnderLock(tx, lock)
    await upsertBranding(tx, after)
    const action = 'account.branding_updated'
    const audit_entry = { action, object_id: account_id, account_id, details } as const
    await recordAuditEntry(tx, actorOf(caller), audit_entry)
    return presentBranding(after, public_url)
  })
}

function changedFields(before: BrandingRow, after: BrandingRow): Record<string, unknown> {
  const changed = Object.entries(after).filter(
    ([key, value]) => before[key as keyof BrandingRow] !== value,
  )
  return Object.fromEntries(changed)
}

/** The schema has checked types and lengths. */
function readFields(changes: Partial<BrandingFields>, sandbox: boolean): Partial<BrandingFields> {
  const url = (field: string) => (text: string) => readReturnUrl(field, text, sandbox).href
  const readers: Partial<Record<keyof BrandingFields, (text: string) => string>> = {
    accent_color: readAccentColor,
    support_phone: readPhone,
    website: url('website'),
    terms_url: url('terms_url'),
    statement_name: readStatementName,
    payment_instructions: readInstructions,
  }
  const read = Object.entries(changes).map(([field, value]) => {
    const reader = readers[field as keyof BrandingFields]
    return [field, value === null || reader === undefined ? value : reader(value)]
  })
  return Object.fromEntries(read)
}

function readPhone(text: string): string {
  const digits = text.replace(/[^0-9]/g, '').length
  if (/^\+?[0-9 ()./-]+$/.test(text) && digits >= 5 && digits <= 15) return text
  throw invalid(
    'support_phone',
    'must be a phone number with 5 to 15 digits, such as "+1 555 010 0199"; ' +
      `got ${quote(text)}`,
  )
}

// What card networks print. They cut longer names and replace other characters.
function readStatementName(text: string): string {
  if (/^[A-Za-z0-9 .,&+/*-]{5,22}$/.test(text) && /[A-Za-z]/.test(text)) return text
  throw invalid(
    'statement_name',
    'must have 5 to 22 characters: a to z, digits, spaces or .,&+/*- with at least one of a ' +
      `to z; got ${quote(text)}`,
  )
}

function readInstructions(text: string): string {
  const lines = text.replaceAll('\r\n', '\n')
  const is_plain = lines.split('\n').every(isPlainText)
  if (is_plain && !isBlank(lines)) return lines
  throw invalid(
    'payment_instructions',
    'must be well-formed text without control characters other than line breaks, and not ' +
      `blank; got ${quote(text)}. Send null to remove the instructions`,
  )
}

const logo_bytes_max = 65_536
const logo_side_max = 1_024

function readLogo(image: string): Logo {
  const bytes = Buffer.from(image, 'base64')
  // The decoder skips what it does not know.
  if (bytes.toString('base64') !== image) {
    throw invalid('image', 'must be the file in base64 (RFC 4648), with padding')
  }
  if (bytes.length > logo_bytes_max) {
    throw invalid('image', `must be at most 64 KiB; got ${Math.ceil(bytes.length / 1_024)} KiB`)
  }
  const header = findImageHeader(bytes)
  if (header === undefined) {
    throw invalid('image', 'must be a PNG, JPEG or WebP file that is complete and not animated')
  }
  const { width, height } = header
  const sides = [width, height]
  if (sides.some((side) => side < 1 || side > logo_side_max)) {
    const rule = `must be at most ${logo_side_max} × ${logo_side_max} pixels`
    throw invalid('image', `${rule}; got ${width} × ${height}. Send a smaller image`)
  }
  return { ...header, bytes, hash: hash('sha256', bytes, 'hex').slice(0, 32) }
}

function invalid(field: string, rule: string): Refusal {
  return new Refusal('invalid_request', `"${field}" ${rule}.`)
}
