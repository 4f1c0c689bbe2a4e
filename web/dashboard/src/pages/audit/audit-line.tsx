import { useAccountSettings } from '../../api/account-settings.ts'
import type { AuditEntry } from '../../api/api-types.ts'
import { shortenId } from '../../parts/short-id.tsx'
import { longTime } from '../../parts/time-text.ts'
import { auditActionText, describeActor, remainingDetails } from './audit-text.ts'
import { NamedLink } from './named-link.tsx'

/** For example "The admin ada@example.com suspended the account Northwind Traders". */
export function AuditSentence({ entry }: { entry: AuditEntry }) {
  const { actor_id, object_id, account_id } = entry
  const [before, after] = auditActionText(entry)
  const elsewhere = account_id !== null && account_id !== object_id
  return (
    <p>
      {describeActor(entry)} {actor_id && <NamedLink id={actor_id} />}{' '}
      <span className="font-semibold">{before}</span> {object_id && <NamedLink id={object_id} />}
      {after && <span className="font-semibold"> {after}</span>}
      {elsewhere && (
        <span className="text-muted">
          {' '}
          on the account <NamedLink id={account_id} />
        </span>
      )}
    </p>
  )
}

export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const details = remainingDetails(entry)
  const settings = useAccountSettings()
  const timeText = (at: string) => longTime(at, settings)
  return (
    <p className="mt-0.5 text-xs wrap-anywhere text-muted">
      <code className="font-mono">{entry.action}</code>
      {details.map(([name, value]) => (
        <span key={name}>
          {' · '}
          {name.replaceAll('_', ' ')}: {valueText(value, timeText)}
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

function valueText(value: unknown, timeText: (at: string) => string): string {
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return timeText(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}
