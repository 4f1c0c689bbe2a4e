// The email about a login from an address and client that the user has not used before.

import { service_account_id } from '../../email/email.ts'
import { queueNotices } from '../../email/notices.ts'
import type { Tx } from '../../postgres/database.ts'
import { type Sweep, sweepRows } from '../../postgres/sweep.ts'
import { newRealTimeUuid } from '../../primitives/ids.ts'
import { sha256 } from '../../primitives/secrets.ts'
import { toIso } from '../../primitives/time.ts'
import type { Origin } from '../sessions/open-session.ts'
import {
  deleteSurplusDevices,
  old_devices,
  selectKnownDevices,
  upsertKnownDevice,
} from './device-queries.ts'
import type { UserRow } from './user.ts'

const retention_ms = 180 * 86_400_000

// More than the devices of one person. The client chooses its name, so without a limit one user
// could store more rows than a deletion can remove in time.
const devices_max = 100

/** Sends nothing for the first login of a user. The user's row must be locked. */
export async function noticeNewDevice(tx: Tx, user: UserRow, origin: Origin): Promise<void> {
  const at = new Date()
  const device_hash = sha256(`${origin.address}\n${clientOf(origin.user_agent)}`)
  const retain_until = new Date(at.getTime() + retention_ms)
  const known = await selectKnownDevices(tx, user.id)
  await upsertKnownDevice(tx, { user_id: user.id, device_hash, retain_until })
  const is_known = known.some((device) => device.device_hash.equals(device_hash))
  if (is_known || known.length === 0) return
  await deleteSurplusDevices(tx, user.id, devices_max)
  queueNotices(tx, [
    {
      account_id: user.account_id ?? service_account_id,
      user_id: user.id,
      cause: `new_login:${newRealTimeUuid(at.getTime())}`,
      to: user.email,
      language: origin.language ?? 'en',
      timezone: 'UTC',
      kind: 'new_login',
      facts: {
        account_name: 'Florin',
        email: user.email,
        address: origin.address,
        client: shownClient(origin.user_agent),
        logged_in_at: toIso(at),
      },
    },
  ])
}

/** Without versions: a browser that updates itself every month is the same client. */
function clientOf(user_agent = ''): string {
  return user_agent.replace(/[0-9.]+/g, '')
}

const client_length_max = 120

/** Sent by the client, so it may contain anything. */
function shownClient(user_agent = ''): string {
  const text = user_agent.toWellFormed().replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
  return [...text].slice(0, client_length_max).join('')
}

export const sweepKnownDevices: Sweep = (db, signal) => sweepRows(db, [old_devices], signal)
