import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../api/shapes.ts'
import { pageOfId } from '../frame/navigation.ts'
import { useHasPage } from '../frame/use-navigation.ts'
import { ShortId, shortenId } from '../parts/short-id.tsx'
import { deedWords, furtherDetails, roleWords } from './audit-words.ts'
import { useNameOf } from './name-of.ts'

/** "The admin ada@example.com suspended the account Northwind Traders". */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { actor_id, object_id, account_id } = entry
  const elsewhere = account_id !== null && account_id !== object_id
  return (
    <p>
      {roleWords(entry)} {actor_id && <Named id={actor_id} />}{' '}
      <span className="font-semibold">{deedWords(entry)}</span>{' '}
      {object_id && <Named id={object_id} />}
      {elsewhere && (
        <span className="text-muted">
          {' '}
          on the account <Named id={account_id} />
        </span>
      )}
    </p>
  )
}

/** By the name or email where it has one, else by its short id; a link where it has a page. */
function Named({ id }: { id: string }) {
  const hasPage = useHasPage()
  const name = useNameOf(id)
  const page = pageOfId(id)
  const shown =
    name === undefined ? (
      <ShortId id={id} />
    ) : (
      <span title={id} className="wrap-anywhere">
        {name}
      </span>
    )
  if (page === undefined || !hasPage(page)) return shown
  return (
    <Link
      to={page as '/users/$id'}
      params={{ id }}
      className="text-brand underline decoration-line-strong underline-offset-2
 hover:decoration-brand"
    >
      {shown}
    </Link>
  )
}

export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const details = furtherDetails(entry)
  return (
    <p className="mt-0.5 text-xs wrap-anywhere text-muted">
      <code className="font-mono">{entry.action}</code>
      {details.map(([name, value]) => (
        <span key={name}>
          {' · '}
          {name.replaceAll('_', ' ')}: {valueText(value)}
        </span>
      ))}
      {entry.request_id && (
        <span>
          {' · '}
          <span title={entry.request_id} className="font-mono">
            {shortenId(entry.request_id)}
          </span>
        </span>
      )}
    </p>
  )
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
