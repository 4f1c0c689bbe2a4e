import type { Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'

// Free, run out, or ours already: one statement decides, and only one holder gets a row.
export async function takeLease(
  db: Db,
  lease: { name: string; slot: number; holder: string; held_until: Date },
): Promise<boolean> {
  const taken = await db.count(sql`
    insert into leases (name, slot, holder, held_until)
    values (${lease.name}, ${lease.slot}, ${lease.holder}, ${lease.held_until})
    on conflict (name, slot) do update
    set holder = excluded.holder, held_until = excluded.held_until
    where leases.held_until < now() or leases.holder = excluded.holder`)
  return taken > 0
}

export async function dropLeases(db: Db, holder: string): Promise<void> {
  await db.count(sql`
    delete from leases
    where holder = ${holder}`)
}
