import { useState } from 'react'
import { useFlorin, useList, useMode, useRefresh } from '../../api/use-florin.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { type Column, DataList } from '../../parts/data-list.tsx'
import { Field } from '../../parts/field.tsx'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { codeOf, reasonOf } from '../../parts/reason-of.ts'
import { showToast } from '../../parts/toast.tsx'

/** A complete list without ids: the origin is its own key. */
interface OriginRow {
  id: string
}

/** The websites to which the payment page may send a payer back. */
export function ReturnOrigins() {
  const query = useList(['return origins'], async (florin, _, signal) => {
    const { data } = await florin.account.listReturnOrigins({ signal })
    return { data: data.map(({ origin }): OriginRow => ({ id: origin })), has_more: false }
  })
  return (
    <Card title="Return origins" action={<AddOrigin />}>
      <p className="mb-3 text-muted">
        Websites to which the payment page may link back. Set return_url and cancel_url of a payment
        request with the API; their origin must be listed here.
      </p>
      <DataList label="Return origins" query={query} columns={columns} empty={empty} />
    </Card>
  )
}

const columns: Column<OriginRow>[] = [
  {
    name: 'Origin',
    cell: ({ id }) => <span className="font-mono text-xs wrap-anywhere">{id}</span>,
  },
  { name: 'Remove', align: 'right', cell: ({ id }) => <RemoveOrigin origin={id} /> },
]

const empty = {
  title: 'No return origins',
  text: 'Until you add the origin of your website, the payment page does not link back to it.',
}

const origin_rule = 'Scheme, host and port, without a path.'

function AddOrigin() {
  const florin = useFlorin()
  const refresh = useRefresh()
  const sandbox = useMode() === 'sandbox'
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const add = async () => {
    const { origin } = await florin.account.addReturnOrigin({ origin: typed.trim() })
    await refresh()
    showToast(`${origin} added`)
  }
  return (
    <FormDialog
      trigger="Add origin"
      title="Add return origin"
      action="Add origin"
      disabled={typed.trim() === ''}
      onOpen={() => {
        setTyped('')
        setError(undefined)
      }}
      showErrorAtField={(rejected) => {
        const is_rejected = codeOf(rejected) === 'invalid_request'
        setError(is_rejected ? reasonOf(rejected) : undefined)
        return is_rejected
      }}
      onSubmit={add}
    >
      <Field
        label="Origin"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={300}
        placeholder="https://shop.example.com"
        hint={sandbox ? `${origin_rule} HTTP on localhost works too.` : origin_rule}
        error={error}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          setError(undefined)
        }}
      />
    </FormDialog>
  )
}

function RemoveOrigin({ origin }: { origin: string }) {
  const florin = useFlorin()
  const refresh = useRefresh()
  const remove = async () => {
    await florin.account.deleteReturnOrigin({ origin })
    await refresh()
    showToast(`${origin} removed`)
  }
  return (
    <ConfirmDialog
      trigger="Remove"
      title={`Remove ${origin}?`}
      action="Remove origin"
      onConfirm={remove}
    >
      The payment page stops linking to it at once, also for payment requests that were created
      before.
    </ConfirmDialog>
  )
}
