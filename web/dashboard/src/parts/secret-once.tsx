import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

interface SecretOnceProps {
  /** A label such as "Signing secret". */
  name: string
  secret: string
  /** What to do with it. */
  children: ReactNode
}

/** "Signing secret" becomes "signing secret"; "API key" stays. */
function withLowerStart(name: string): string {
  return name.replace(/^[A-Z](?=[a-z])/, (start) => start.toLowerCase())
}

/** A secret that the server returns only once. The page does not store it. */
export function SecretOnce({ name, secret, children }: SecretOnceProps) {
  return (
    <div>
      <p className="rounded-lg bg-amber-soft p-3 font-medium text-amber">
        Copy it now. You won’t be able to see it again.
      </p>
      <p className="mt-4 font-medium">{name}</p>
      <div className="mt-1.5 flex items-start gap-2 rounded-lg border border-line bg-canvas">
        <code className="min-w-0 flex-1 p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere">
          {secret}
        </code>
        <span className="p-1.5">
          <CopyButton text={secret} label={`Copy ${withLowerStart(name)}`} />
        </span>
      </div>
      <div className="mt-3 text-muted">{children}</div>
    </div>
  )
}
