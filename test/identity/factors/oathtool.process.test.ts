// Codes of authenticator apps, compared with another program.

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { codeOf, newTotpSecret, stepAt, toBase32 } from '../../../src/identity/factors/totp.ts'

const has_oathtool = spawnSync('oathtool', ['--version']).status === 0
const needs_oathtool = { skip: !has_oathtool && 'needs oathtool: apt-get install oathtool' }

test('codes match those of oathtool', needs_oathtool, () => {
  for (let nth = 0; nth < 20; nth++) {
    const secret = newTotpSecret()
    const seconds = Math.floor(Math.random() * 4e9)
    const shown = execFileSync('oathtool', [
      '--totp',
      '--base32',
      `--now=@${seconds}`,
      toBase32(secret),
    ])
    const code = codeOf(secret, stepAt(new Date(seconds * 1_000)))
    assert.equal(code, shown.toString().trim(), `at ${seconds}`)
  }
})
