import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseFailure, sqlState, translateFailure } from '../../src/postgres/failure.ts'
import { Refusal } from '../../src/primitives/refusal.ts'

function systemError(code: string, syscall = 'connect'): Error {
  return Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
}

test('what the system says of a lost connection is trouble of the database', () => {
  const codes = ['EPIPE', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH']
  for (const code of [...codes, 'ENOTFOUND', 'EAI_AGAIN', 'EACCES', 'EMFILE', 'ENETUNREACH']) {
    assert.equal(isDatabaseFailure(systemError(code)), true, code)
    assert.equal(sqlState(systemError(code)), undefined, code)
  }
  const both = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  assert.equal(isDatabaseFailure(both), true, 'no address of a name answered')
})

test('what the driver says of a lost connection is trouble of the database', () => {
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

test('refusals and faults of our own are passed on as they are', () => {
  const refusal = new Refusal('not_found', 'No connection to speak of.')
  const fault = new TypeError('x is not a function')
  const rollback = new Error('COMMIT returned ROLLBACK')
  for (const error of [refusal, fault, rollback, undefined, null, 'text', 42]) {
    assert.equal(translateFailure(error), error)
  }
})
