// The database for the time of one command: a live one is joined, the embedded one is otherwise
// opened and stopped again, also when somebody presses Ctrl-C meanwhile.

import type { Config } from '../config.ts'
import { type Db, openDatabase } from '../postgres/database.ts'
import { migrate } from '../postgres/migrate.ts'
import { joinPostgres } from '../postgres/open-postgres.ts'
import { Interrupted } from './failures.ts'
import { listenForStop } from './stop-signals.ts'
import { passingWord } from './terminal.ts'

/** Brings the schema up to date first: a command may well come before the first start. */
export async function withMigratedDatabase<Result>(
  config: Config,
  work: (db: Db, migrated: string[]) => Promise<Result>,
): Promise<Result> {
  const stop = listenForStop()
  const clear = passingWord('Opening the database …')
  const postgres = await joinPostgres(config).finally(clear)
  try {
    const { applied } = await migrate(postgres.connection, config.mode)
    const db = openDatabase(postgres.connection, { clients_max: 2 })
    const interrupted = stop.requested.then(() => {
      throw new Interrupted('Interrupted. Look with florin status at how far it came.')
    })
    return await Promise.race([work(db, applied), interrupted]).finally(() => db.close())
  } finally {
    await postgres.stop()
    stop.release()
  }
}
