// The sql tag: values are parameters, fragments compose, and only fixed texts have names.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { nothing, sql } from '../../src/postgres/sql.ts'

test('turns every value into a parameter', () => {
  const hostile = "'; drop table users; --"
  const statement = sql`select 1 where a = ${hostile} and b = ${[1, 2]} and c is ${null}`
  assert.equal(statement.text, 'select 1 where a = $1 and b = $2 and c is $3')
  assert.deepEqual(statement.values, [hostile, [1, 2], null])
})

test('names a statement without fragments after its text', () => {
  const make = (value: number) => sql`select ${value}`
  assert.match(make(1).name!, /^florin_[0-9a-f]{16}$/)
  assert.equal(make(1).name, make(2).name)
  assert.equal(make(1).name, sql`select ${3}`.name)
  assert.notEqual(make(1).name, sql`select  ${1}`.name)
})

test('gives a composed statement no name, and renumbers its parameters', () => {
  const filter = sql`and b = ${'b'} and c = ${'c'}`
  const statement = sql`select ${'a'} where a = ${'a2'} ${filter} ${nothing} limit ${'d'}`
  assert.equal(statement.text, 'select $1 where a = $2 and b = $3 and c = $4  limit $5')
  assert.deepEqual(statement.values, ['a', 'a2', 'b', 'c', 'd'])
  assert.equal(statement.name, undefined)
})

test('keeps the values of nested fragments in order, also beyond ten', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer(), { maxLength: 7 }), { maxLength: 7 }), (groups) => {
      const fragments = groups.map((group) =>
        group.reduce((left, value) => sql`${left} ${value}`, nothing),
      )
      const whole = fragments.reduce((left, right) => sql`${left};${right}`, nothing)
      assert.deepEqual(whole.values, groups.flat())
      const numbers = [...whole.text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1]))
      assert.deepEqual(
        numbers,
        groups.flat().map((_, at) => at + 1),
      )
    }),
  )
})
