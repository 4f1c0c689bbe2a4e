// florin distribute: distributes the tables over the servers of a Citus cluster.

import { joinPostgres, requireDatabase } from '../../embedded-postgres/open-postgres.ts'
import { connectClient } from '../../postgres/connect.ts'
import { default_shard_count, findCluster } from '../../postgres/distribute.ts'
import { distribute, requireCurrentSchema } from '../../postgres/migrate.ts'
import { UsageError } from '../failures.ts'
import { readSettings } from '../settings.ts'
import { print, printJson, symbols } from '../terminal.ts'

export interface DistributeCommand {
  json?: true
  shards?: string
}

const shards_max = 1_024

export async function distributeDatabase(options: DistributeCommand): Promise<void> {
  const shard_count = readShards(options.shards)
  const config = readSettings(options)
  await requireDatabase(config)
  const postgres = await joinPostgres(config)
  try {
    await requireCurrentSchema(postgres.connection)
    const onTable = (name: string) => options.json || print(`${symbols.ok} ${name}\n`)
    const distributed = await distribute(postgres.connection, { shard_count, onTable })
    const { client } = await connectClient(postgres.connection)
    const cluster = (await findCluster(client).finally(() => client.end()))!
    const { shards, servers } = cluster
    if (options.json) return printJson({ distributed, shards, servers })
    const done =
      distributed.length > 0
        ? `Distributed ${distributed.length} tables.`
        : 'All tables are distributed already.'
    print(`${done} ${shards} shards on ${servers} servers.\n`)
  } finally {
    await postgres.stop()
  }
}

function readShards(given: string | undefined): number {
  if (given === undefined) return default_shard_count
  const count = Number(given)
  if (Number.isInteger(count) && count >= 1 && count <= shards_max) return count
  throw new UsageError(`--shards must be an integer from 1 to ${shards_max}, got "${given}".`)
}
