// The bank page: import of a file, open entries with proposals, match and ignore.

import { test } from 'node:test'
import { BankFixtures, fileOf } from '../bank-statements/bank-fixtures.ts'
import { PayoutFixtures } from '../payouts/payout-fixtures.ts'
import { insertSettlement } from '../settlements/insert-settlement.ts'
import { no_browser, openPage } from '../support/browser.ts'
import { assertAccessible, logInToDashboard } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'

const fixtures = await BankFixtures.open()
const { url, people } = fixtures.florin
const options = { skip: no_browser }
const platform = await people.platform()
const shop = await fixtures.euroShop()

test('imports a file, and matches an open entry with a click', options, async () => {
  const page = await openPage({ viewport: { width: 1280, height: 900 } })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard`)
  await page.getByRole('link', { name: 'Bank', exact: true }).click()
  await page.getByText('No bank entries yet').waitFor()

  const id = await fixtures.euroRequest(shop, 12_300)
  const file = fileOf([
    { signed: 12_300, text: 'Thank you' },
    { signed: -950, text: 'Account fee' },
    { signed: 700, text: `Part of ${id}` },
  ])
  await page.getByRole('button', { name: 'Import statement' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('Choose a file.').waitFor()
  const upload = { name: 'statement.xml', mimeType: 'text/xml', buffer: Buffer.from(file) }
  await page.getByLabel('File').setInputFiles(upload)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('New entries: 3.').waitFor()
  await fixtures.settleAll()

  await page.goto(`${url}/dashboard/bank?status=open`)
  const rows = page.getByRole('table', { name: 'Entries' }).locator('tbody tr')
  await eventually(() => rows.count(), 3)
  await assertAccessible(page, 'the bank page')
  await rows.filter({ hasText: 'Thank you' }).getByRole('link').first().click()
  await page.getByText('Same amount').waitFor()
  await assertAccessible(page, 'an open bank entry')
  await page.getByRole('button', { name: 'Match', exact: true }).click()
  await page.getByText('Entry matched').waitFor()
  await fixtures.settleAll()
  await page.reload()
  await page.getByText('Settled', { exact: true }).first().waitFor()
  await eventually(async () => (await fixtures.getPayment(shop, id)).body.status, 'succeeded')

  const other = await fixtures.euroRequest(shop, 700)
  await page.goto(`${url}/dashboard/bank?status=open`)
  await rows.filter({ hasText: 'Part of' }).getByRole('link').first().click()
  await page.getByText('€123.00 requested').waitFor()
  await page.getByRole('button', { name: 'Match another' }).click()
  await page
    .getByRole('textbox', { name: 'Payment request' })
    .fill('pay_01k6mf0000e008000000000003')
  await page.getByRole('button', { name: 'Match request' }).click()
  await page.getByText('No payment request with the id').waitFor()
  await assertAccessible(page, 'the form of a match')
  await page.getByRole('textbox', { name: 'Payment request' }).fill(other)
  await page.getByRole('button', { name: 'Match request' }).click()
  await page.getByText('Entry matched').waitFor()
  await fixtures.settleAll()
  await eventually(async () => (await fixtures.getPayment(shop, other)).body.status, 'succeeded')

  await page.goto(`${url}/dashboard/bank?status=open`)
  await rows.filter({ hasText: 'Account fee' }).getByRole('link').first().click()
  await eventually(() => page.getByRole('button', { name: 'Match another' }).count(), 0)
  await page.getByRole('button', { name: 'Ignore' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ignore' }).click()
  await page.getByRole('button', { name: 'Reopen' }).waitFor()
  await page.context().close()
})

test('matches an entry to the settlement of a provider with a click', options, async () => {
  const ids = [await insertSettlement(fixtures.florin.db, 'po_1', 8_180)]
  ids.push(await insertSettlement(fixtures.florin.db, 'po_2', 8_180))
  const entry = await fixtures.receive({ signed: 8_180, text: 'SAMMELBUCHUNG' })
  const page = await openPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark' })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard/bank/${entry.id}`)
  const card = page.getByRole('region', { name: 'Settlements with this amount' })
  await eventually(() => card.getByRole('button').count(), 2)
  await assertAccessible(page, 'an entry with settlements')
  await card.getByRole('button', { name: 'Match settlement po_1' }).click()
  await page.getByText('It shows this settlement.').waitFor()
  await page.getByRole('main').getByText('Settled', { exact: true }).first().waitFor()
  await eventually(() => card.count(), 0)
  await page.locator(`a[href$="/reconciliation/${ids[0]}"]`).click()
  await page.waitForURL(`**/reconciliation/${ids[0]}`)
  const back = await fixtures.receive({ signed: -8_180, text: 'RETOURE' })
  await page.goto(`${url}/dashboard/bank/${back.id}`)
  await card.getByText('which this one may take back').waitFor()
  await card.getByRole('button', { name: 'Match settlement po_1' }).click()
  await page.getByText('It takes this settlement back.').waitFor()
  await page.goto(`${url}/dashboard/reconciliation/${ids[0]}`)
  await page.getByText('Taken back by').waitFor()
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${url}/dashboard/bank/${entry.id}`)
  await page.context().close()
})

test('saves a column map for CSV files with a preview, and imports with it', options, async () => {
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard/bank`)
  await page.getByRole('button', { name: 'Add column map' }).click()
  const form = page.getByRole('dialog')
  const text = 'Konto;1234\nBuchungstag;Betrag;Für\n17.11.2026;1.234,56;"Rent; flat"\n'
  const buffer = Buffer.from(text, 'latin1')
  const upload = { name: 'export.csv', mimeType: 'text/csv', buffer }
  await form.getByLabel('Example file').setInputFiles(upload)
  await form.getByRole('columnheader', { name: 'Für' }).waitFor()
  await form.getByLabel('Name', { exact: true }).fill('My bank')
  await form.getByLabel('IBAN or number of the account').fill('DE89370400440532013000')
  await form.getByLabel('Booking date').fill('Buchungstag')
  await form.getByLabel('Amount', { exact: true }).fill('Betrg')
  await form.getByText('Did you mean "Betrag"?').waitFor()
  await form.getByLabel('Amount', { exact: true }).fill('Betrag')
  await form.getByLabel('Text that the payer wrote').fill('3')
  await form.getByLabel('Currency', { exact: true }).fill('EEE')
  await form.getByRole('button', { name: 'Save column map' }).click()
  const currency = form.locator('input[aria-invalid=true]')
  await eventually(() => currency.inputValue(), 'EEE')
  await assertAccessible(page, 'the form of a column map')
  await currency.fill('eur')
  const entries = form.getByRole('region', { name: 'First entries as they are imported' })
  await entries.getByText('Rent; flat').waitFor()
  await eventually(() => entries.getByText('€1,234.56').count(), 1)
  await form.getByRole('button', { name: 'Save column map' }).click()
  await page.getByText('Column map saved').waitFor()

  await page.getByRole('button', { name: 'Change column map My bank' }).click()
  await eventually(() => form.getByLabel('Text that the payer wrote').inputValue(), '3')
  await page.keyboard.press('Escape')
  await eventually(() => form.count(), 0)
  await page.getByRole('button', { name: 'Import statement' }).click()
  await page.getByLabel('File').setInputFiles(upload)
  await page.getByLabel('Column map, for CSV').selectOption('My bank')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('New entries: 1.').waitFor()

  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete column map' }).click()
  await page.getByText('No column maps yet').waitFor()
  await page.context().close()
})

test('matches a debit to a payout, and a collective entry with a choice', options, async () => {
  const payouts = new PayoutFixtures(fixtures.florin, fixtures.admin)
  await fixtures.create(shop, { currency: 'EUR', type: 'credit', amount: 1_000, reference: 'A' })
  await payouts.setDestination(shop)
  const payout = await payouts.approved(shop, 1_000)
  await payouts.export(fixtures.admin, { currency: 'EUR' })
  const entry = await fixtures.receive({ signed: -1_000, text: 'SEPA' })
  const page = await openPage({ viewport: { width: 360, height: 800 } })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard/bank/${entry.id}`)
  await page.getByRole('button', { name: 'Match a payout' }).click()
  await page.getByRole('textbox', { name: 'Payout or refund' }).fill(payout.id)
  await assertAccessible(page, 'the form of a match with a payout')
  await page.getByRole('button', { name: 'Match payout' }).click()
  await page.getByText('It is recorded within seconds.').waitFor()

  const id = await fixtures.euroRequest(shop, 500)
  const batch = fileOf([{ signed: 800, text: id }]).replace(/<TxDtls>.*<\/TxDtls>/s, '$&$&')
  const [statement] = await fixtures.import(batch)
  await fixtures.settleAll()
  const [incomplete] = await fixtures.entriesOf(statement.id)
  await page.goto(`${url}/dashboard/bank/${incomplete.id}`)
  await page.getByRole('button', { name: 'Match', exact: true }).click()
  await page.getByRole('combobox', { name: 'Late payment' }).selectOption('Keep')
  await assertAccessible(page, 'the form of a match with a choice')
  await page.getByRole('dialog').getByRole('button', { name: 'Match' }).click()
  await page.getByText('Entry matched').waitFor()
  await fixtures.settleAll()
  await eventually(async () => (await fixtures.getPayment(shop, id)).body.status, 'succeeded')
  await page.context().close()
})

test('shows how many entries of a file were already imported', options, async () => {
  const twin = { signed: 5, text: 'coffee', reference: null }
  await fixtures.import(fileOf([twin]))
  const page = await openPage({ viewport: { width: 1280, height: 900 } })
  await logInToDashboard(page, url, platform)
  await page.goto(`${url}/dashboard/bank`)
  await page.getByRole('button', { name: 'Import statement' }).click()
  const buffer = Buffer.from(fileOf([twin, { signed: 6, text: 'tea' }], 5))
  await page.getByLabel('File').setInputFiles({ name: 'b.xml', mimeType: 'text/xml', buffer })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('New entries: 1. Already imported: 1.').waitFor()
  const row = page.getByRole('table', { name: 'Statements' }).locator('tbody tr').first()
  await eventually(async () => /2\s*1\s*1/.test(await row.innerText()), true)
  await page.setViewportSize({ width: 360, height: 800 })
  await page.getByText('2 entries, 1 new, 1 already imported').waitFor()
  await page.context().close()
})

test('fits a phone', options, async () => {
  for (const width of [360, 1920]) {
    const page = await openPage({ viewport: { width, height: 800 } })
    await logInToDashboard(page, url, platform)
    await page.goto(`${url}/dashboard/bank`)
    const rows = page.getByRole('table', { name: 'Entries' }).locator('tbody tr')
    await eventually(() => rows.count(), 10)
    const measure = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    await eventually(measure, true)
    await page.context().close()
  }
})
