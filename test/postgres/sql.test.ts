// The sql tag: values are parameters, pieces fit together, and only fixed texts have names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nothing, sql } from '../../src/postgres/sql.ts'

test('values become parameters, whatever they are', () => {
  const hostile = "'; drop table users; --"
  const statement = sql`select 1 where a = ${hostile} and b = ${[1, 2]} and c is ${null}`
  assert.equal(statement.text, 'select 1 where a = $1 and b = $2 and c is $3')
  assert.deepEqual(statement.values, [hostile, [1, 2], null])
})

test('a statement in one piece has a name made from its text, the same each time', () => {
  const make = (value: number) => sql`select ${value}`
  assert.match(make(1).name!, /^florin_[0-9a-f]{16}$/)
  assert.equal(make(1).name, make(2).name)
  assert.equal(make(1).name, sql`select ${3}`.name)
  assert.notEqual(make(1).name, sql`select  ${1}`.name)
})

test('a statement put together from pieces has no name, and counts its parameters through', () => {
  const filter = sql`and b = ${'b'} and c = ${'c'}`
  const statement = sql`select ${'a'} where a = ${'a2'} ${filter} ${nothing} limit ${'d'}`
  assert.equal(statement.text, 'select $1 where a = $2 and b = $3 and c = $4  limit $5')
  assert.deepEqual(statement.values, ['a', 'a2', 'b', 'c', 'd'])
  assert.equal(statement.name, undefined)
})

test('pieces inside pieces keep their values in order, past ten of them too', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 7 }), { maxLength: 7 }), (groups) => {
      const pieces = groups.map((group) =>
        group.reduce((left, value) => sql`${left} ${value}`, nothing),
      )
      const whole = pieces.reduce((left, piece) => sql`${left};${piece}`, nothing)
      assert.deepEqual(whole.values, groups.flat())
      const numbers = [...whole.text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]))
      assert.deepEqual(
        numbers,
        groups.flat().map((_, at) => at + 1),
      )
    }),
  )
})
