import assert from 'node:assert/strict'
import { test } from 'node:test'
import { balanceError, continuityError } from '../../../src/bank/statements/check-balances.ts'
import { readAll } from './read-all.ts'
import { account_iban, writeCamt } from './write-samples.ts'

const empty = { iban: account_iban, sequence: 7, opening: 0, entries: [] }

/** A statement with these elements after the account. */
function camt(body: string, version = '02'): string {
  return writeCamt(empty, version, '054').replace('</Acct>', `</Acct>${body}`)
}

function entry(changes: {
  amount?: string
  mark?: string
  status?: string
  rest?: string
}): string {
  const { amount = '42.00', mark = 'CRDT', status = '<Sts>BOOK</Sts>', rest = '' } = changes
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${mark}</CdtDbtInd>${status}${rest}</Ntry>`
}

async function readEntry(text: string) {
  const [statement] = await readAll(camt(text))
  return statement!.entries[0]!
}

function transfer(amount: string, rest: string): string {
  const stated = `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`
  return `<TxDtls>${rest}${amount === '' ? '' : stated}</TxDtls>`
}

test('every version from 02 to 13 is read, and others are not', async () => {
  for (let version = 2; version <= 13; version++) {
    const text = String(version).padStart(2, '0')
    const [statement] = await readAll(writeCamt(empty, text))
    assert.equal(statement!.format, 'camt.053')
    assert.equal(statement!.id, 'stmt-7')
    assert.equal(statement!.sequence, '7')
  }
  for (const version of ['01', '14']) {
    await assert.rejects(
      readAll(writeCamt(empty, version)),
      /Line 2, <Document>: the namespace must/,
    )
  }
})

test('reads prefixed elements, an envelope, and the namespaces of Austrian banks', async () => {
  const plain = writeCamt(empty, '02')
  const prefixed = plain.replace('xmlns=', 'xmlns:c=').replace(/<(\/?)(?=[A-Z])/g, '<$1c:')
  const body = plain.slice(plain.indexOf('\n') + 1)
  const wrapped = `<e:Envelope xmlns:e="urn:x"><e:Header/>${body}${body}</e:Envelope>`
  const austrian = plain.replace(
    'urn:iso:std:iso:20022:tech:xsd:camt.053.001.02',
    'ISO:camt.053.001.02:APC:STUZZA:payments:003',
  )
  const [expected] = await readAll(plain)
  assert.deepEqual(await readAll(prefixed), [expected])
  assert.deepEqual(await readAll(austrian), [expected])
  assert.equal((await readAll(wrapped)).length, 2)
})

test('a collective entry has one transaction for each transfer', async () => {
  const party = '<RltdPties><Dbtr><Nm>Jane</Nm></Dbtr></RltdPties>'
  const reference =
    '<RmtInf><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>'
  const details = transfer('40.00', party) + transfer('2.00', reference)
  const batch = '<Btch><PmtInfId>pf-1</PmtInfId></Btch>'
  const read = await readEntry(entry({ rest: `<NtryDtls>${batch}${details}</NtryDtls>` }))
  assert.ok(read.is_complete)
  assert.deepEqual(
    read.transactions.map((one) => [one.amount, one.counterparty_name, one.creditor_reference]),
    [
      [4_000, 'Jane', null],
      [200, null, 'RF18539007547034'],
    ],
  )
  assert.ok(read.transactions.every((one) => one.payment_information_id === 'pf-1'))
})

test('transfers that do not add up are not complete', async () => {
  const debtor = '<RltdPties><Dbtr><Nm>Jane</Nm></Dbtr></RltdPties>'
  const cases: [string, number][] = [
    [transfer('40.00', '') + transfer('1.00', ''), 2],
    [transfer('40.00', '') + transfer('', ''), 1],
    [transfer('41.00', ''), 1],
    ['<Btch><NbOfTxs>3</NbOfTxs></Btch>', 1],
    [`<Btch><NbOfTxs>3</NbOfTxs></Btch>${transfer('', debtor)}`, 1],
  ]
  for (const [details, count] of cases) {
    const read = await readEntry(entry({ rest: `<NtryDtls>${details}</NtryDtls>` }))
    assert.equal(read.is_complete, false, details)
    assert.equal(read.transactions.length, count)
    assert.equal(read.transactions[0]!.counterparty_name, null)
  }
  // What the payer sent in another currency is not what the account received.
  const foreign = '<Amt Ccy="USD">50.00</Amt>'
  const read = await readEntry(entry({ rest: `<NtryDtls>${transfer('', foreign)}</NtryDtls>` }))
  assert.ok(read.is_complete)
  assert.deepEqual(read.transactions[0]!.amount, 4_200)
})

test('pending entries, reversals and returns are marked', async () => {
  for (const status of ['<Sts>PDNG</Sts>', '<Sts><Cd>INFO</Cd></Sts>', '<Sts>FUTR</Sts>']) {
    assert.equal((await readEntry(entry({ status }))).is_booked, false)
  }
  const reversal = await readEntry(entry({ mark: 'DBIT', rest: '<RvslInd>true</RvslInd>' }))
  assert.deepEqual([reversal.direction, reversal.is_reversal], ['debit', true])
  const parties = '<RltdPties><Dbtr><Nm>We</Nm></Dbtr><Cdtr><Nm>They</Nm></Cdtr></RltdPties>'
  const info = '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'
  const details = `<NtryDtls>${transfer('', parties + info)}</NtryDtls>`
  const [returned] = (await readEntry(entry({ rest: details }))).transactions
  assert.equal(returned!.return_reason, 'AC04')
  assert.equal(returned!.counterparty_name, 'They', 'the recipient of the original transfer')
})

const balance = (code: string, amount: string, mark = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
  <CdtDbtInd>${mark}</CdtDbtInd><Dt><Dt>2026-11-18</Dt></Dt></Bal>`

test('a wrong closing balance is reported with the numbers', async () => {
  const balances = balance('OPBD', '100.00') + balance('CLBD', '141.00') + balance('CLAV', '9.00')
  const [statement] = await readAll(
    camt(balances + entry({}) + entry({ status: '<Sts>PDNG</Sts>' })),
  )
  assert.equal(statement!.difference, -100)
  assert.equal(
    balanceError(statement!),
    'The opening balance and all entries must add up to the closing balance: 100.00 + 42.00 = ' +
      '142.00, got 141.00 EUR. The file may be incomplete. Export the statement again.',
  )
})

test('balances between the statements of a day are interim', async () => {
  const cases: [string, number, number][] = [
    [balance('OPBD', '1.00') + balance('ITBD', '43.00'), 100, 4_300],
    [balance('ITBD', '1.00') + balance('ITBD', '43.00'), 100, 4_300],
    [balance('ITBD', '1.00') + balance('CLBD', '43.00'), 100, 4_300],
    [balance('PRCD', '1.00', 'DBIT') + balance('CLBD', '41.00'), -100, 4_100],
  ]
  for (const [balances, opening, closing] of cases) {
    const [statement] = await readAll(camt(balances + entry({})))
    assert.deepEqual([statement!.opening!.amount, statement!.closing!.amount], [opening, closing])
    assert.equal(statement!.difference, 0)
  }
})

test('a statement must continue the previous one', () => {
  const closing = { amount: 4_200, currency: 'EUR', on: '2026-11-17' }
  assert.equal(continuityError(closing, { ...closing, on: '2026-11-18' }), undefined)
  assert.equal(continuityError(null, closing), undefined)
  assert.match(
    continuityError(closing, { ...closing, amount: 4_100 })!,
    /must be 42\.00 EUR, the closing balance of the previous statement; got 41\.00 EUR\. .*missing/,
  )
})

test('errors name line, element, rule and value', async () => {
  const cases: [string, RegExp][] = [
    [
      entry({ amount: '4.2e1' }),
      /^Line 6, <Amt>: an amount must be a decimal number; got "4\.2e1"/,
    ],
    [
      entry({ amount: '1.005' }),
      /an amount in EUR must have at most 2 decimal digits; got "1\.005"/,
    ],
    [entry({ amount: '-1' }), /an amount must not be negative; got "-1"/],
    [entry({ amount: '9'.repeat(20) }), /an amount must have at most 15 digits/],
    [entry({ mark: 'BOTH' }), /<CdtDbtInd>: must be CRDT or DBIT; got "BOTH"/],
    ['<Ntry><Amt>1</Amt></Ntry>', /<Amt>: the attribute Ccy is missing/],
    ['<Ntry><Amt Ccy="XYZ">1</Amt></Ntry>', /a currency must be a code of ISO 4217.*; got "XYZ"/],
    ['<Ntry/>', /<Ntry>: <Amt> is missing\. Export the statement again/],
    [entry({ rest: '<BookgDt><Dt>2026-02-30</Dt></BookgDt>' }), /must exist in the calendar/],
    [entry({ rest: '<ValDt><Dt>18.11.26</Dt></ValDt>' }), /<ValDt>: a date must have the form/],
  ]
  for (const [text, message] of cases) {
    await assert.rejects(readAll(camt(text)), { name: 'BankFileError', message })
  }
  assert.equal((await readEntry(entry({ amount: '1.500000' }))).amount, 150)
})
