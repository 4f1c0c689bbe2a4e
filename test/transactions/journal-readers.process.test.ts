// bean-check and hledger read journals and compare the postings with the balances that the journals
// repeat. They are test tools and not part of Florin; a test without its program is skipped.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { startFlorin } from '../support/florin.ts'
import { TransferFixtures } from '../transfers/transfer-fixtures.ts'
import { openTransactionFixtures } from './transaction-fixtures.ts'

const florin = await startFlorin({ FLORIN_PROCESSOR: 'manual' })
const fixtures = await openTransactionFixtures(florin)
const folder = mkdtempSync(join(tmpdir(), 'florin-journal-'))
after(() => rmSync(folder, { recursive: true }))

const beanCheck = process.env.BEAN_CHECK ?? 'bean-check'
const readers = {
  beancount: { command: beanCheck, arguments: [] as string[] },
  hledger: { command: 'hledger', arguments: ['check', '--strict', 'ordereddates', '-f'] },
}

const hostile = 'a "b" \\ ; | (c) =5 USD  @@ [2026-01-01] #tag ^link ünï 日本'
const shop = await fixtures.shop()
const payment = await fixtures.fund(shop, 7_500, { reference: hostile })
const refund = await fixtures.refund(shop, 500, payment)
await fixtures.settle(refund.body.id)
await fixtures.pending(shop, { amount: 250 })
await fixtures.fund(shop, 1)
const payouts = new PayoutFixtures(florin, fixtures.admin)
await payouts.setDestination(shop)
await payouts.paid(shop, 40)
await payouts.created(shop, 30)
const transfers = new TransferFixtures(florin, fixtures.admin)
await transfers.transfer(shop, await transfers.shop(), 20)
await transfers.complete()

for (const [format, reader] of Object.entries(readers)) {
  const skip =
    spawnSync(reader.command, ['--version']).error !== undefined &&
    `${reader.command} is not installed: see CONTRIBUTING.md`
  const check = (text: string) => {
    const path = join(folder, `journal.${format}`)
    writeFileSync(path, text)
    // hledger reads files in the encoding of the locale.
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    return spawnSync(reader.command, [...reader.arguments, path], { encoding: 'utf8', env })
  }
  const read = async (period: string) => {
    const path = `/v1/account/journal?format=${format}${period}`
    return (await florin.call('GET', path, { token: shop.token })).text
  }

  test(`${reader.command} accepts a ${format} journal`, { skip }, async () => {
    for (const period of ['', '&from=2999-01-01', '&to=2000-01-01']) {
      const result = check(await read(period))
      assert.equal(result.status, 0, result.stdout + result.stderr)
    }
  })

  test(`${reader.command} rejects a ${format} journal that lacks a cent`, { skip }, async () => {
    const text = await read('')
    const wrong = text.replace('Available  75.00 USD', 'Available  74.99 USD')
    const both = wrong.replace('Incoming  -75.00 USD', 'Incoming  -74.99 USD')
    assert.notEqual(both, text)
    assert.notEqual(check(both).status, 0)
  })
}
