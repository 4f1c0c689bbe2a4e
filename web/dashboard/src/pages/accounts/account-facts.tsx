import type { Account } from '../../api/api-types.ts'
import { ShortId } from '../../parts/short-id.tsx'
import { humanize } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'

export function accountFacts(account: Account): [string, React.ReactNode][] {
  const { settings } = account
  return [
    [
      'Email',
      <span key="email" className="wrap-anywhere">
        {account.email}
      </span>,
    ],
    ['Type', humanize(account.type)],
    ['ID', <ShortId key="id" id={account.id} copy />],
    ['Currency', settings.currency],
    ['Time zone', settings.timezone],
    ['Language', languageName(settings.language)],
    ['Created', <When key="created" at={account.created_at} absolute />],
    ['Updated', <When key="updated" at={account.updated_at} absolute />],
  ]
}

export function languageName(tag: string): string {
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(tag)
  return name === undefined || name === tag ? tag : `${name} (${tag})`
}
