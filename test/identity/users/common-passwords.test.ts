import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { isCommonPassword } from '../../../src/identity/users/common-passwords.ts'

test('a repeated short pattern is common', () => {
  assertCommon(
    'aaaaaaaaaaaaaaa',
    '111111111111111',
    'passwordpassword',
    '123412341234123',
    'abababababababab',
    'xkcdxkcdxkcdxkcd',
    'xkcdxkcdxkcdxkcd1!',
    'kT9x2LmQkT9x2LmQ',
    '!!!!!!!!!!!!!!!!',
    'iloveyouiloveyou',
    'letmeinletmeinletmein',
    'ÄäÄäÄäÄäÄäÄäÄäÄä',
  )
})

test('runs along the keyboard and the alphabet are common, in both directions', () => {
  assertCommon(
    'qwertyuiopasdfgh',
    'qwertyuiopasdfghjkl',
    'poiuytrewqlkjhgfdsa',
    'abcdefghijklmnop',
    'ponmlkjihgfedcba',
    'zyxwvutsrqponmlk',
    '123456789012345',
    '987654321098765',
    '012345678901234',
    'qwertyuiop123456',
    'abcdefgh12345678',
    '1234567890qwerty',
    '1q2w3e4r5t6y7u8i',
    '1qaz2wsx3edc4rfv',
    'qazwsxedcrfvtgb',
    'azertyuiopqsdfgh',
    'qwertzuiopasdfgh',
    '!@#$%^&*()!@#$%',
    'aaaaabbbbbccccc',
  )
})

test('well-known long passwords and phrases are common', () => {
  assertCommon(
    'correcthorsebatterystaple',
    'Correct Horse Battery Staple',
    'correct-horse-battery-staple',
    'thisisapassword',
    'administrator123',
    'passwordpassword1',
    'iloveyouforever',
    'maytheforcebewithyou',
    'thequickbrownfoxjumpsoverthelazydog',
    'changemechangeme',
    'welcomewelcome123',
    'letmeinletmein2024',
    'supersecretpassword!',
    'MyPasswordIs123456',
    'helloworld123456',
    'password12345678',
    'PasswordPassword2026!',
  )
})

test('digits and symbols that imitate characters do not help', () => {
  assertCommon(
    'P@ssw0rdP@ssw0rd',
    'c0rr3cth0rs3b4tt3ryst4pl3',
    'th1s1s4p4ssw0rd',
    '4dm1n1str4t0r123',
  )
  assertCommon('p@$$w0rd12345678', 'Adm1n1strator!!!', 'ＰＡＳＳＷＯＲＤpassword')
})

test('common short passwords are common', () => {
  assertCommon('password', 'Password1', 'P@ssw0rd', '12345678', 'qwerty123', 'letmein1', 'iloveyou')
  assertCommon('trustno1', 'dragon12', 'sunshine', 'football!', 'admin123', 'welcome1', 'abc12345')
  assertCommon(
    'Summer2024!',
    'princess1',
    'baseball',
    'superman',
    '1qaz2wsx',
    'michael1',
    'changeme',
  )
})

test('other passwords are not common', () => {
  const good = [
    'purple elephants dance quietly at noon',
    'my grandmother sold violets in Antwerp',
    'Tr0ub4dor&3 zinc kettle',
    'wet-gravel-opera-lantern',
    'mK7#vR2$xQ9!pL4w',
    'ohnoes-the-teapot-leaks',
    'jfkwoeiruqpzmcnv',
    '83017492736491027',
    'tiger8301749273649102',
    'Kartoffelsalat mit Gurke',
    '猫が窓辺で静かに眠っている午後の光',
    'dragon kettle violin marmalade',
    'aaaaaaaaaa but then something else entirely',
  ]
  for (const password of good) assert.ok(!isCommonPassword(password), password)
})

test('random passwords of 15 characters are not common', () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%'
  for (let n = 0; n < 2000; n++) {
    const password = Array.from({ length: 15 }, () => alphabet[randomInt(alphabet.length)]).join('')
    assert.ok(!isCommonPassword(password), password)
  }
})

test('any text up to the limit is checked without error, and quickly', () => {
  const text = fc.string({ unit: 'binary', maxLength: 128 })
  fc.assert(fc.property(text, (password) => typeof isCommonPassword(password) === 'boolean'))
  const started = process.threadCpuUsage()
  for (const unit of ['a1', 'abcq', 'the', 'is']) isCommonPassword(unit.repeat(64).slice(0, 128))
  assert.ok(process.threadCpuUsage(started).user < 2_000_000)
})

function assertCommon(...passwords: string[]): void {
  for (const password of passwords) assert.ok(isCommonPassword(password), password)
}
