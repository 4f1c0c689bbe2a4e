import { CopyButton } from './copy-button.tsx'

interface CurlLineProps {
  method?: string
  path: string
  body?: object
  /** Where its reader keeps the token, for what no API key may do. */
  token?: 'FLORIN_KEY' | 'FLORIN_TOKEN'
}

/** The one line that fills an empty list. The key in it is a name, never a real one. */
export function CurlLine(props: CurlLineProps) {
  const text = curlText(props)
  return (
    <div
      className="flex w-full max-w-2xl items-start gap-2 rounded-lg border border-line
 bg-canvas"
    >
      <code className="min-w-0 flex-1 p-3 text-left font-mono text-xs wrap-anywhere text-ink">
        {text}
      </code>
      <span className="p-1.5">
        <CopyButton text={text} label="Copy the command" />
      </span>
    </div>
  )
}

function curlText({ method = 'POST', path, body, token = 'FLORIN_KEY' }: CurlLineProps): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${location.origin}${path}`]
  parts.push(`-H "Authorization: Bearer $${token}"`)
  if (body) parts.push(`-H "Content-Type: application/json" -d '${JSON.stringify(body)}'`)
  return parts.join(' ')
}
