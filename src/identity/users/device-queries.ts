import type { Tx } from '../../postgres/database.ts'
import { sql } from '../../postgres/sql.ts'
import type { OldRows } from '../../postgres/sweep.ts'

interface KnownDevice {
  user_id: string
  device_hash: Buffer
  retain_until: Date
}

/** Returns true if the user has other known devices, but not this one. */
export async function insertKnownDevice(tx: Tx, device: KnownDevice): Promise<boolean> {
  const found = await tx.row<{ is_new: boolean }>(sql`
    with known as materialized (
      select device_hash
      from known_devices
      where user_id = ${device.user_id}
    )
    insert into known_devices (user_id, device_hash, retain_until)
    values (${device.user_id}, ${device.device_hash}, ${device.retain_until})
    on conflict (user_id, device_hash) do update
    set retain_until = excluded.retain_until
    returning exists (select 1 from known)
      and not exists (select 1 from known where device_hash = ${device.device_hash}) as is_new`)
  return found!.is_new
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
