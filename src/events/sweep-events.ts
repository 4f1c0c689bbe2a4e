// Deletes events after 90 days of real time: a sandbox whose clock jumps a year must not lose
// events that have not been read yet. Business time is never behind real time, so an event is at
// least as old in real time as its timestamp indicates.

import { type Sweep, sweepAccounts } from '../postgres/sweep.ts'
import { oldEvents } from './queries.ts'

export const event_retention_ms = 90 * 86_400_000

export const sweepEvents: Sweep = (db, signal) =>
  sweepAccounts(db, oldEvents(new Date(Date.now() - event_retention_ms)), signal)
