import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseFailure, sqlState, translateFailure } from '../../src/postgres/failure.ts'
import { Refusal } from '../../src/primitives/refusal.ts'

function systemError(code: string, syscall = 'connect'): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
}

test('classifies system errors of a connection as database failures', () => {
  const codes = ['EPIPE', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH']
  for (const code of [...codes, 'ENOTFOUND', 'EAI_AGAIN', 'EACCES', 'EMFILE', 'ENETUNREACH']) {
    assert.equal(isDatabaseFailure(systemError(code)), true, code)
    assert.equal(sqlState(systemError(code)), undefined, code)
  }
  const both = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  assert.equal(isDatabaseFailure(both), true, 'no address of a host name responded')
})

test('classifies driver errors of a connection as database failures', () => {
  const messages = [
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Connection terminated',
  ]
  for (const message of messages) assert.equal(isDatabaseFailure(new Error(message)), true, message)
})

test('passes refusals and other errors on unchanged', () => {
  const refusal = new Refusal('not_found', 'The connection does not exist.')
  const fault = new TypeError('x is not a function')
  const rollback = new Error('COMMIT returned ROLLBACK')
  for (const error of [refusal, fault, rollback, undefined, null, 'text', 42]) {
    assert.equal(translateFailure(error), error)
  }
})
