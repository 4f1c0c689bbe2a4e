// The notification settings of the user.

import type { Florin } from '../../../../client/src/florin.ts'

const path = '/v1/user/notifications'

export type NoticeName =
  | 'payment_received'
  | 'payment_failed'
  | 'dispute'
  | 'new_login'
  | 'weekly_summary'

type Notifications = Record<NoticeName, boolean>

export async function readNotifications(
  florin: Florin,
  signal: AbortSignal,
): Promise<Notifications> {
  const { text } = await florin.request('GET', path, { signal })
  return JSON.parse(text)
}

export async function turnNotification(
  florin: Florin,
  name: NoticeName,
  is_on: boolean,
): Promise<void> {
  await florin.request('PATCH', path, { body: { [name]: is_on } })
}
