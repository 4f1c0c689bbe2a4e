import { useState } from 'react'
import { newKey } from '../../../../../client/src/prepare.ts'
import type { RequestLogEntry } from '../../api/api-types.ts'
import { useAccountId, useMode, useUser } from '../../api/use-florin.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { showToast } from '../../parts/toast.tsx'
import { useCopy } from '../../parts/use-copy.tsx'
import { body_file, curlOf, isCompleteJson, redacted, redactedFields } from './request-curl.ts'

export function RequestAsCurl({ entry }: { entry: RequestLogEntry }) {
  const account_id = useAccountId()
  const own = useUser().account_id !== null
  const [idempotency_key] = useState(newKey)
  const account = own ? undefined : account_id
  const text = curlOf(entry, { origin: location.origin, account, idempotency_key })
  const { copy, by_hand } = useCopy(text, () =>
    showToast('Command copied', 'It reads your API key from $FLORIN_API_KEY.'),
  )
  return (
    <Card
      title="Repeat this request"
      action={
        <Button className="-my-2" onClick={copy}>
          Copy as curl
        </Button>
      }
    >
      <pre
        className="rounded-lg border border-line bg-canvas p-3 font-mono text-xs wrap-anywhere
 whitespace-pre-wrap"
      >
        <code>{marked(text)}</code>
      </pre>
      <Notes entry={entry} />
      {by_hand}
    </Card>
  )
}

/** Highlights redacted values, which the user has to fill in. */
function marked(text: string) {
  return text.split(redacted).flatMap((piece, at) =>
    at === 0
      ? [piece]
      : [
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never move.
          <mark key={at} className="rounded bg-amber-soft px-0.5 font-semibold text-amber">
            {redacted}
          </mark>,
          piece,
        ],
  )
}

function Notes({ entry }: { entry: RequestLogEntry }) {
  const live = useMode() === 'live'
  const fields = redactedFields(entry)
  const changes = entry.method === 'POST' || entry.method === 'PATCH'
  const cut = entry.request_body !== null && !isCompleteJson(entry.request_body)
  return (
    <div className="mt-3 flex flex-col gap-1.5 text-muted">
      {fields.length > 0 && (
        <p className="font-medium text-amber">Fill in the redacted values: {fields.join(', ')}.</p>
      )}
      {cut && <p>The logged body is truncated. Save the full body as {body_file}.</p>}
      {live && changes && <p>Bodies are not logged in live mode. Add yours with -d.</p>}
      {!live && changes && entry.request_body === null && (
        <p>No body was logged for this request. If it had one, add it with -d.</p>
      )}
      {entry.idempotency_key && (
        <p>The command has a new Idempotency-Key, so it runs as a new request.</p>
      )}
    </div>
  )
}
