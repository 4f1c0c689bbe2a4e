import type { Florin } from '../../api/florin.ts'
import { useApiQuery, useSendsEmail, useUser } from '../../api/use-florin.ts'
import { CopyAction } from '../../parts/copy-action.tsx'

interface InvitationLinkProps {
  id: string
  email: string
}

/** Without a mail server, an admin copies the link of an invitation and passes it on. */
export function InvitationLink({ id, email }: InvitationLinkProps) {
  const may_read = useUser().may.includes('read_emails')
  const sends_email = useSendsEmail()
  const link = useApiQuery(
    ['invitations', id, 'link'],
    (florin, signal) => findLink(florin, { id, email }, signal),
    { enabled: may_read && !sends_email },
  )
  return link.data ? <CopyAction text={link.data} label="Copy link" tone="plain" /> : null
}

/** The server stores only a hash of the link. The email has it, and only admins read emails. */
async function findLink(
  florin: Florin,
  { id, email }: InvitationLinkProps,
  signal: AbortSignal,
): Promise<string | null> {
  const { data } = await florin.emails.list({ to: email, state: 'stored' }, { signal })
  const found = data.find(({ cause }) => cause === `invitation ${id}`)
  if (found === undefined) return null
  const { text } = await florin.emails.get(found.id, { signal })
  return /\S+\/join\/\S+/.exec(text)?.[0] ?? null
}
