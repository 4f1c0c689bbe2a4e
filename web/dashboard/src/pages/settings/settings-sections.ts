// The sections of the settings. Each is a lazy page: see ../account-routes.ts.

interface SettingsSection {
  name: string
  to: string
  /** Sections of an account are hidden while no account is selected. */
  of: 'account' | 'user'
  /** An operation of the server's permission table. Without it every user sees the section. */
  needs?: string
}

export const settings_sections: SettingsSection[] = [
  { name: 'Business', to: '/settings', of: 'account' },
  { name: 'Branding', to: '/settings/branding', of: 'account', needs: 'update_branding' },
  {
    name: 'Payment page',
    to: '/settings/payment-page',
    of: 'account',
    needs: 'manage_return_origins',
  },
  { name: 'Team', to: '/settings/team', of: 'account', needs: 'list_account_users' },
  { name: 'Profile', to: '/settings/profile', of: 'user' },
  { name: 'Notifications', to: '/settings/notifications', of: 'user' },
  { name: 'Security', to: '/settings/security', of: 'user' },
]
