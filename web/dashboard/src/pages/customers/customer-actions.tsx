import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Customer } from '../../api/api-types.ts'
import { useFlorin, useRefresh, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { reasonOf } from '../../parts/reason-of.ts'
import { saveFile } from '../../parts/save-file.ts'
import { showErrorToast, showToast } from '../../parts/toast.tsx'

/** Export and erasure of personal data, for owners and admins. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const { may } = useUser()
  return (
    <>
      {may.includes('export_customer') && <ExportCustomer customer={customer} />}
      {may.includes('erase_customer') && customer.erased_at === null && (
        <EraseCustomer customer={customer} />
      )}
    </>
  )
}

function ExportCustomer({ customer }: { customer: Customer }) {
  const florin = useFlorin()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const data = await florin.customers.export(customer.id)
      saveFile(`${customer.id}.json`, JSON.stringify(data, null, 2), 'application/json')
    } catch (error) {
      showErrorToast('Could not export the data', reasonOf(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button onClick={save} disabled={busy}>
      Export data
    </Button>
  )
}

function EraseCustomer({ customer }: { customer: Customer }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const navigate = useNavigate()
  const erase = async (form: FormData) => {
    const confirm_email = String(form.get('confirm_email')).trim()
    const erased = await florin.customers.erase(customer.id, { confirm_email })
    await navigate({ to: '/customers/$id', params: { id: erased.id }, replace: true })
    await refresh()
    showToast('Personal data erased', 'Payments and amounts are unchanged.')
  }
  return (
    <FormDialog
      trigger="Erase data"
      title="Erase this customer’s personal data?"
      text={
        'The email is replaced everywhere in this account: requests, subscriptions, emails, ' +
        'events and logs. Amounts stay. This cannot be undone.'
      }
      action="Erase data"
      native
      onSubmit={erase}
    >
      <Field
        label="Email of the customer"
        name="confirm_email"
        type="email"
        required
        autoComplete="off"
        hint={`Enter ${customer.email} to confirm.`}
      />
    </FormDialog>
  )
}
