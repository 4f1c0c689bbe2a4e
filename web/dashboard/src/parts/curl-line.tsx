import { Fragment } from 'react'
import { useAccountId, useUser } from '../api/use-florin.ts'
import { CopyButton } from './copy-button.tsx'

interface CurlLineProps {
  method?: string
  path: string
  body?: object
  /** The shell variable with the credential. FLORIN_TOKEN where API keys are not allowed. */
  token?: 'FLORIN_API_KEY' | 'FLORIN_TOKEN'
  /** Sent as Florin-Account, if it is not the account in the URL. */
  account_id?: string
  /** Unfolded at first, if it is the only way. */
  open?: boolean
}

/** A folded curl command for an empty list. It names a shell variable, never a real key. */
export function CurlLine(props: CurlLineProps) {
  const { token = 'FLORIN_API_KEY', account_id, open = false } = props
  const chosen = useAccountId()
  // An API key belongs to one account; an admin's token needs the Florin-Account header.
  const named = useUser().account_id === null && token === 'FLORIN_TOKEN' ? chosen : undefined
  const text = curlText(props, token, account_id ?? named)
  return (
    <details open={open} className="w-full max-w-2xl">
      <summary className="mx-auto w-fit cursor-pointer rounded-lg px-2 py-2 text-muted">
        API request
      </summary>
      <div className="mt-1 flex items-start gap-2 rounded-lg border border-line bg-canvas">
        <code className="min-w-0 flex-1 p-3 text-left font-mono text-xs wrap-anywhere text-ink">
          {unbroken(text)}
        </code>
        <span className="p-1.5">
          <CopyButton text={text} label="Copy command" />
        </span>
      </div>
    </details>
  )
}

/** Allows line breaks anywhere except after the hyphen of an option. */
function unbroken(text: string) {
  const [start, ...options] = text.split(/ (?=-[XHd] )/)
  return [
    start,
    ...options.map((option) => (
      <Fragment key={option}>
        {' '}
        <span className="whitespace-nowrap">{option.slice(0, 2)}</span>
        {option.slice(2)}
      </Fragment>
    )),
  ]
}

function curlText(
  { method = 'POST', path, body }: CurlLineProps,
  token: string,
  account_id: string | undefined,
): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`]
  parts.push(`-H "Authorization: Bearer $${token}"`)
  if (account_id !== undefined) parts.push(`-H "Florin-Account: ${account_id}"`)
  if (body) parts.push(`-H "Content-Type: application/json" -d ${quoted(JSON.stringify(body))}`)
  return parts.join(' ')
}

/** Quotes text for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
