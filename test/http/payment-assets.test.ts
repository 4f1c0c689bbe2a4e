import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { buildApp } from '../../src/http/app.ts'
import { paymentScript, paymentStyle } from '../../src/pages/payment-assets.ts'
import { openDatabase } from '../../src/postgres/database.ts'

// Neither file needs a database.
const db = openDatabase({ host: '/nowhere' })
const log = pino({ level: 'silent' })
const app = await buildApp({ db, log, config: readConfig({}), version: '0.0.0-test' })
after(async () => {
  await app.close()
  await db.close()
})

test('caches the assets of the payment page for a year under their version', async () => {
  for (const asset of [paymentStyle, paymentScript]) {
    const { statusCode, headers, body } = await app.inject(asset.url)
    assert.equal(statusCode, 200)
    assert.equal(body, asset.text)
    assert.equal(headers['content-type'], asset.type)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('serves the current file without caching for another version', async () => {
  for (const url of ['/pay.css', '/pay.js?v=older', '/pay.css?v=a&v=b']) {
    const { statusCode, headers } = await app.inject(url)
    assert.equal(statusCode, 200)
    assert.equal(headers['cache-control'], 'no-cache')
  }
})
