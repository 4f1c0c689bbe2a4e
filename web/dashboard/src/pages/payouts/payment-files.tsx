// Payment files for the bank: admins and platform users export approved payouts, and download the
// file as often as they need it.

import { useState } from 'react'
import type { PayoutExport } from '../../api/api-types.ts'
import { useFlorin, useList, useRefresh } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Money } from '../../parts/money.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { saveFile } from '../../parts/save-file.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { showErrorToast, showToast } from '../../parts/toast.tsx'
import { When } from '../../parts/when.tsx'

export function ExportPayouts() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const submit = async (form: FormData) => {
    const read = (name: string) => String(form.get(name)).trim()
    const iban = read('iban')
    const debtor = iban === '' ? undefined : { name: read('name'), iban }
    const currency = read('currency').toUpperCase()
    const execute_on = read('execute_on') || undefined
    const made = await florin.payoutExports.create({ currency, debtor, execute_on })
    await refresh()
    showToast('Payment file created', 'Upload it to your bank once.')
    await download(florin, made.id)
  }
  return (
    <FormDialog
      trigger="Export for the bank"
      title="Export for the bank"
      text={
        'Writes approved payouts and refunds of bank transfers of all accounts into a payment ' +
        'file. They are in transit from then on.'
      }
      action="Create file"
      native
      onSubmit={submit}
    >
      <Field
        label="Currency"
        name="currency"
        required
        defaultValue="EUR"
        maxLength={3}
        autoComplete="off"
      />
      <Field label="Your name at the bank" name="name" maxLength={70} autoComplete="organization" />
      <Field
        label="IBAN to pay from"
        name="iban"
        maxLength={50}
        autoComplete="off"
        spellCheck={false}
        hint="Empty: the bank account in the settings of this server."
      />
      <Field label="Execute on" name="execute_on" type="date" hint="Optional. Today if empty." />
    </FormDialog>
  )
}

async function download(florin: ReturnType<typeof useFlorin>, id: string): Promise<void> {
  try {
    saveFile(`${id}.xml`, await florin.payoutExports.getFile(id), 'application/xml')
  } catch (error) {
    showErrorToast('Could not download the file', reasonOf(error))
  }
}

const columns: Column<PayoutExport>[] = [
  { name: 'Amount', cell: (row) => <Money amount={row.amount} currency={row.currency} /> },
  { name: 'Content', from: 'md', cell: contentText },
  { name: 'ID', from: 'lg', cell: (row) => <ShortId id={row.id} copy /> },
  {
    name: 'Created',
    time: true,
    from: 'md',
    cell: (row) => (
      <span className="text-muted">
        <When at={row.created_at} />
      </span>
    ),
  },
  { name: 'File', align: 'right', cell: (row) => <Download id={row.id} /> },
]

function contentText({ payouts, refunds }: PayoutExport): string {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`
  const parts = [
    ...(payouts > 0 ? [count(payouts, 'payout')] : []),
    ...(refunds > 0 ? [count(refunds, 'refund')] : []),
  ]
  return parts.join(', ')
}

export function PaymentFiles() {
  const query = useList(['payout exports'], (florin, page, signal) =>
    florin.payoutExports.list(page, { signal }),
  )
  return (
    <Card title="Payment files">
      <DataList
        label="Payment files"
        query={query}
        columns={columns}
        folded={(row) => (
          <>
            <div>{contentText(row)}</div>
            <When at={row.created_at} />
          </>
        )}
        name={contentText}
        empty={{
          title: 'No payment files yet',
          text: 'Approve payouts, then export them for the bank.',
        }}
      />
    </Card>
  )
}

function Download({ id }: { id: string }) {
  const florin = useFlorin()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    await download(florin, id)
    setBusy(false)
  }
  return (
    <Button tone="quiet" disabled={busy} onClick={save}>
      Download
      <span className="sr-only"> payment file {id}</span>
    </Button>
  )
}
