import type { Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'

interface KnownDevice {
  user_id: string
  device_hash: Buffer
  retain_until: Date
}

export async function selectKnownDevices(
  tx: Tx,
  user_id: string,
): Promise<{ device_hash: Buffer }[]> {
  return tx.rows(sql`
    select device_hash
    from known_devices
    where user_id = ${user_id}`)
}

export async function upsertKnownDevice(tx: Tx, device: KnownDevice): Promise<void> {
  await tx.count(sql`
    insert into known_devices (user_id, device_hash, retain_until)
    values (${device.user_id}, ${device.device_hash}, ${device.retain_until})
    on conflict (user_id, device_hash) do update
    set retain_until = excluded.retain_until`)
}

/** Deletes all but the most recently used ones. */
export async function deleteSurplusDevices(
  tx: Tx,
  user_id: string,
  devices_max: number,
): Promise<void> {
  await tx.count(sql`
    delete from known_devices
    where user_id = ${user_id}
      and device_hash in (
        select device_hash
        from known_devices
        where user_id = ${user_id}
        order by retain_until desc
        offset ${devices_max})`)
}

export async function deleteKnownDevices(tx: Tx, user_ids: string[]): Promise<void> {
  await tx.count(sql`
    delete from known_devices
    where user_id = any(${user_ids}::uuid[])`)
}

export const old_devices: OldRows = {
  rows: sql`from known_devices where retain_until < now()`,
  key: sql`ctid`,
  oldest_first: sql`retain_until`,
}
