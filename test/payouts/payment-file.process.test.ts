// The schemas of ISO 20022 accept the files of real exports: downloaded over HTTP, with names and
// texts as owners type them. The programs are test tools; without them the test is skipped.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startFlorin } from '../support/florin.ts'
import { openPayoutFixtures } from './payout-fixtures.ts'

const python = process.env.BANK_PYTHON ?? 'python3'
const found = spawnSync(python, ['-c', 'import sepaxml; print(sepaxml.__path__[0])'])
const missing = [
  ...(found.status === 0 ? [] : ['sepaxml']),
  ...(spawnSync('xmllint', ['--version']).error === undefined ? [] : ['xmllint']),
]
const skip = missing.length === 0 ? false : `${missing} is not installed: see CONTRIBUTING.md`

const destinations = [
  { name: "Jürgen's Café & Söhne <GmbH>", iban: 'NL91 ABNA 0417 1643 00', bic: 'ABNANL2A' },
  { name: 'Ελένη Παπαδοπούλου', iban: 'gb82west12345698765432' },
  // Version 03 has a narrower form of the BIC.
  { name: 'Digits in the BIC', iban: 'NL91ABNA0417164300', bic: 'A1B2NL1O' },
]
const references = ['Week 47 – “thank you” & <bye>', 'RF18539007547034', null, '支払い']

test('the schemas of ISO 20022 accept exported files', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-export-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const florin = await startFlorin()
  const fixtures = await openPayoutFixtures(florin)
  for (const currency of ['EUR', 'CHF', 'JPY']) {
    for (const version of ['09', '03']) {
      for (const destination of destinations) {
        const shop = await fixtures.shop()
        const base = { token: shop.token, body: { settings: { currency } } }
        assert.equal((await florin.call('PATCH', '/v1/account', base)).status, 200)
        await fixtures.fund(shop, 1_000, { currency })
        assert.equal((await fixtures.setDestination(shop, destination)).status, 200)
        for (const reference of references) {
          const body = { amount: 1 + shop.id.length, reference }
          const { body: payout, text } = await fixtures.payOut(shop, 0, { body })
          assert.ok(payout.id, text)
          if (payout.status === 'pending_approval') {
            await fixtures.change(fixtures.admin, payout.id, 'approve')
          }
        }
      }
      const made = await fixtures.export(fixtures.admin, { currency, version })
      assert.equal(made.body.payouts, destinations.length * references.length, made.text)
      const { token } = fixtures.admin
      const path = `/v1/payout_exports/${made.body.id}/file`
      const file = await florin.call('GET', path, { token })
      const again = await florin.call('GET', path, { token })
      assert.equal(file.text, again.text, 'a lost download is repeated')
      const where = join(folder, `${currency}-${version}.xml`)
      writeFileSync(where, file.text)
      const schema = join(String(found.stdout).trim(), 'schemas', `pain.001.001.${version}.xsd`)
      const run = spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, where])
      assert.equal(run.status, 0, String(run.stderr))
    }
  }
})
