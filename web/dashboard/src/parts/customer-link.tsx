import { Link } from '@tanstack/react-router'
import { useUser } from '../api/use-florin.ts'

interface CustomerLinkProps {
  email: string
  /** The account of the customer, for users who view all accounts. */
  account_id: string
  /** In a list: one line, truncated. Users scan lists by it, so it is truncated last. */
  brief?: boolean
}

const brief_class = 'block max-w-80 min-w-50 truncate max-xl:max-w-50 max-xl:min-w-40'

/** A customer's email that links to the customer's page. The page finds the customer by email. */
export function CustomerLink({ email, account_id, brief = false }: CustomerLinkProps) {
  const user = useUser()
  const look = brief ? brief_class : 'wrap-anywhere'
  if (!user.may.includes('retrieve_customer')) {
    return (
      <span className={look} title={email}>
        {email}
      </span>
    )
  }
  const search = user.account_id === null ? { account: account_id } : {}
  return (
    <Link
      to="/customers/$id"
      params={{ id: email }}
      search={search as never}
      title={email}
      className={`${look} ${brief ? 'hover:underline' : 'text-brand underline'}`}
    >
      {email}
    </Link>
  )
}
