// Bank statements, decisions about their entries, and column maps. Each import has a bank account
// that no other has: an import locks its bank account, and the first one stores it.

import assert from 'node:assert/strict'
import { checkDigits } from '../../../../src/bank/iban.ts'
import { columnMap, writeCamt } from '../../../bank/statements/write-samples.ts'
import type { PreparedRequest, Recipe } from '../recipe.ts'
import type { World } from '../world.ts'

const headers = { 'content-type': 'application/octet-stream' }
const amount = 700

let imports = 0

function newIban(): string {
  imports += 1
  const body = `12030000${String(imports).padStart(10, '0')}`
  return `DE${checkDigits('DE', body)}${body}`
}

/** One credit, in the currency of new accounts. */
function newFile(): string {
  const entry = {
    signed: amount,
    booked_on: '2026-11-17',
    reference: 'B1',
    end_to_end_id: null,
    name: 'Jane Doe',
    iban: 'FR1420041010050500013M02606',
    text: 'thank you',
  }
  const statement = { iban: newIban(), sequence: 1, opening: 0, entries: [entry] }
  return writeCamt(statement, '08').replaceAll('EUR', 'USD')
}

async function entriesOf(world: World, statement_id: string) {
  const { token } = await world.admin()
  const path = `/v1/bank_entries?statement_id=${statement_id}`
  const { status, text, body } = await world.call('GET', path, { token })
  assert.equal(status, 200, text)
  return body.data
}

async function newEntry(world: World): Promise<string> {
  const { token } = await world.admin()
  const { data } = await world.create('/v1/bank_statements', { token, body: newFile(), headers })
  const [entry] = await entriesOf(world, data[0].id)
  return entry.id
}

/** A decision about a new entry. */
function decide(
  chooseBody: (world: World) => Promise<object | undefined>,
  advance: (world: World, id: string) => Promise<unknown> = async () => {},
): Recipe['prepare'] {
  return async (world): Promise<PreparedRequest> => {
    const { token } = await world.admin()
    const id = await newEntry(world)
    await advance(world, id)
    const verifyEffect = world.readsSame('/v1/bank_entries/{id}', token)
    return { params: { entry_id: id }, token, body: await chooseBody(world), verifyEffect }
  }
}

async function saveMap(world: World): Promise<string> {
  const { token } = await world.admin()
  const name = world.unique()
  await world.create('/v1/bank_column_maps', { token, body: { name, column_map: columnMap } })
  return name
}

async function findMap(world: World, name: string) {
  const { token } = await world.admin()
  const { body } = await world.call('GET', '/v1/bank_column_maps', { token })
  return body.data.find((map: { name: string }) => map.name === name)
}

export const bankStatementRecipes: Recipe[] = [
  {
    operation: 'importBankStatement',
    async prepare(world) {
      const { token } = await world.admin()
      const verifyEffect = async ({ data }: { data: Record<string, unknown>[] }) => {
        assert.equal(data.length, 1)
        const path = `/v1/bank_statements/${data[0]!.id}`
        const found = await world.call('GET', path, { token })
        assert.deepEqual([found.body], data)
        assert.equal(data[0]!.new_count, 1)
        const entries = await entriesOf(world, String(data[0]!.id))
        assert.deepEqual(
          entries.map((entry: Record<string, unknown>) => [entry.amount, entry.status]),
          [[amount, 'new']],
        )
      }
      return { token, headers, body: Buffer.from(newFile()), verifyEffect }
    },
  },
  {
    operation: 'matchBankEntry',
    prepare: decide(async (world) => {
      const { token, account_id } = await world.owner()
      const request = { account_id, amount, currency: 'USD', customer_email: 'c@example.com' }
      const { id } = await world.create('/v1/payments', { token, body: request })
      return { payment_id: id, note: 'Confirmed by phone.' }
    }),
  },
  { operation: 'ignoreBankEntry', prepare: decide(async () => ({ note: 'Rent.' })) },
  {
    operation: 'reopenBankEntry',
    prepare: decide(
      async () => undefined,
      async (world, id) => {
        const { token } = await world.admin()
        await world.create(`/v1/bank_entries/${id}/ignore`, { token, body: {} })
      },
    ),
  },
  {
    operation: 'saveBankColumnMap',
    async prepare(world) {
      const { token } = await world.admin()
      const name = world.unique()
      const verifyEffect = async (response: object) =>
        assert.deepEqual(await findMap(world, name), response)
      return { token, body: { name, column_map: columnMap }, verifyEffect }
    },
  },
  {
    operation: 'deleteBankColumnMap',
    async prepare(world) {
      const { token } = await world.admin()
      const name = await saveMap(world)
      const verifyEffect = async () => assert.equal(await findMap(world, name), undefined)
      return { params: { name }, token, verifyEffect }
    },
  },
]
