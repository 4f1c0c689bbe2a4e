// Actions in the search dialog. Each opens the form of a page, or runs at once.

import { session } from '../api/session.ts'
import { useAccountId, useMode, useUser } from '../api/use-florin.ts'
import type { IconName } from '../parts/icon.tsx'
import { reasonOf } from '../parts/reason-of.ts'
import { showErrorToast } from '../parts/toast.tsx'
import { useTheme } from './theme.ts'
import { useGoToLogin } from './use-go-to-login.ts'
import { useHasPage } from './use-navigation.ts'

interface SearchAction {
  name: string
  icon: IconName
  to?: string
  search?: Record<string, string>
  run?: () => void | Promise<void>
}

interface FormAction extends SearchAction {
  to: string
  needs: string
  /** The form creates something for one account. */
  of_account?: boolean
  sandbox?: boolean
}

const forms: FormAction[] = [
  {
    name: 'Request a payment',
    icon: 'payments',
    to: '/payments',
    search: { create: 'yes' },
    needs: 'create_payment',
    of_account: true,
  },
  {
    name: 'Create subscription',
    icon: 'subscriptions',
    to: '/subscriptions',
    search: { create: 'yes' },
    needs: 'create_subscription',
    of_account: true,
  },
  {
    name: 'Create payment link',
    icon: 'links',
    to: '/payment-links',
    search: { create: 'yes' },
    needs: 'manage_payment_links',
    of_account: true,
  },
  {
    name: 'Create transfer',
    icon: 'transfers',
    to: '/transfers',
    search: { create: 'yes' },
    needs: 'create_transfer',
    of_account: true,
  },
  {
    name: 'Create API key',
    icon: 'key',
    to: '/api-keys',
    search: { create: 'yes' },
    needs: 'manage_api_keys',
  },
  {
    name: 'Add webhook endpoint',
    icon: 'webhooks',
    to: '/webhooks',
    search: { create: 'yes' },
    needs: 'manage_webhooks',
  },
  {
    name: 'Invite a member',
    icon: 'users',
    to: '/settings/team',
    search: { create: 'yes' },
    needs: 'manage_invitations',
    of_account: true,
  },
  {
    name: 'Advance the clock',
    icon: 'clock',
    to: '/clock',
    needs: 'advance_clock',
    sandbox: true,
  },
]

export function useSearchActions(): SearchAction[] {
  const { may } = useUser()
  const mode = useMode()
  const account = useAccountId()
  const hasPage = useHasPage()
  const [theme, chooseTheme] = useTheme()
  const leave = useGoToLogin()
  const is_dark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const logOut = async () => {
    try {
      await session.logOut()
      await leave()
    } catch (error) {
      showErrorToast('Could not log you out', reasonOf(error))
    }
  }
  const offered = forms.filter(
    ({ to, needs, of_account = false, sandbox = false }) =>
      may.includes(needs) &&
      hasPage(to) &&
      (account !== undefined || !of_account) &&
      (mode === 'sandbox' || !sandbox),
  )
  return [
    ...offered,
    {
      name: is_dark ? 'Switch to light theme' : 'Switch to dark theme',
      icon: 'settings',
      run: () => chooseTheme(is_dark ? 'light' : 'dark'),
    },
    { name: 'Log out', icon: 'arrow', run: logOut },
  ]
}
