import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withCircuitBreaker } from '../../src/processors/circuit-breaker.ts'
import { openMollie } from '../../src/processors/mollie.ts'
import { ProviderError } from '../../src/processors/provider.ts'

function failing(is_final: boolean) {
  const state = { calls: 0, is_down: true, now_ms: 1_000 }
  const provider = withCircuitBreaker(
    {
      ...openMollie({ api_key: 'test_none', access_token: undefined, api_url: undefined }),
      check: async () => {
        state.calls += 1
        if (state.is_down) throw new ProviderError('Unreachable.', { is_final })
        return { at: new Date() }
      },
    },
    () => state.now_ms,
  )
  const call = () => provider.check().catch((error: ProviderError) => error.code ?? error.message)
  return { state, call }
}

test('a provider is not called for ten seconds after five unknown failures in a row', async () => {
  const { state, call } = failing(false)
  for (let at = 0; at < 5; at++) assert.equal(await call(), 'Unreachable.')
  assert.equal(await call(), 'circuit_open')
  state.now_ms += 9_999
  assert.equal(await call(), 'circuit_open')
  assert.equal(state.calls, 5)
  // Then one call decides, while others still fail at once.
  state.now_ms += 1
  const [first, second] = await Promise.all([call(), call()])
  assert.deepEqual([first, second, state.calls], ['Unreachable.', 'circuit_open', 6])
  assert.equal(await call(), 'circuit_open')
  state.now_ms += 10_000
  state.is_down = false
  assert.ok(typeof (await call()) === 'object')
  assert.ok(typeof (await call()) === 'object')
  // A success closes the circuit: five more failures are needed.
  state.is_down = true
  for (let at = 0; at < 5; at++) assert.equal(await call(), 'Unreachable.')
  assert.equal(await call(), 'circuit_open')
})

test('rejected requests do not open the circuit', async () => {
  const { state, call } = failing(true)
  for (let at = 0; at < 20; at++) await call()
  assert.equal(state.calls, 20)
})
