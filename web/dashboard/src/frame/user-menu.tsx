import { Menu } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { session } from '../api/session.ts'
import { useUser } from '../api/use-florin.ts'
import { Icon } from '../parts/icon.tsx'
import { reasonOf } from '../parts/reason-of.ts'
import { roleName } from '../parts/status.tsx'
import { showErrorToast } from '../parts/toast.tsx'
import { type Theme, useTheme } from './theme.ts'
import { useGoToLogin } from './use-go-to-login.ts'

const itemClass = `flex h-9 pointer-coarse:h-11 cursor-default items-center justify-between gap-6
 rounded-md px-2.5 outline-none data-[highlighted]:bg-canvas`

/** The logged-in user, theme, sessions and log out. */
export function UserMenu() {
  const user = useUser()
  const navigate = useNavigate()
  // The menu is rendered inside the bar's landmark, not at the end of the body.
  const [container, setContainer] = useState<HTMLElement | null>(null)
  return (
    <Menu.Root>
      <Menu.Trigger
        aria-label={`${user.name ?? user.email}: theme, sessions, log out`}
        className="grid size-9 shrink-0 place-items-center rounded-lg bg-brand-soft font-bold
 text-brand
 pointer-coarse:size-11"
      >
        {[...(user.name ?? user.email)][0]?.toUpperCase()}
      </Menu.Trigger>
      <Menu.Portal container={container}>
        <Menu.Positioner sideOffset={8} align="end" className="z-50">
          <Menu.Popup
            className="w-60 rounded-xl border border-line bg-card p-1.5 shadow-raised
 outline-none"
          >
            <div className="px-2.5 py-2">
              <div className="truncate font-semibold">{user.name ?? user.email}</div>
              <div className="truncate text-xs text-muted">
                {user.email} · {roleName(user.role)}
              </div>
            </div>
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <ThemeItems />
            <Menu.Separator className="my-1.5 h-px bg-line" />
            <Menu.Item
              className={itemClass}
              onClick={() => navigate({ to: '/settings/profile' as '/settings' })}
            >
              Your profile
            </Menu.Item>
            <Menu.Item className={itemClass} onClick={() => navigate({ to: '/sessions' })}>
              Your sessions
            </Menu.Item>
            <Menu.Item className={itemClass} onClick={() => location.assign('/docs')}>
              Documentation
            </Menu.Item>
            <LogOutItem />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
      <div ref={setContainer} className="absolute" />
    </Menu.Root>
  )
}

const themes: [Theme, string][] = [
  ['system', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]

function ThemeItems() {
  const [theme, choose] = useTheme()
  return (
    <Menu.RadioGroup value={theme} onValueChange={choose} aria-label="Theme">
      <div aria-hidden className="px-2.5 py-1 text-xs font-semibold text-muted">
        Theme
      </div>
      {themes.map(([value, name]) => (
        <Menu.RadioItem key={value} value={value} className={itemClass}>
          {name}
          <Menu.RadioItemIndicator className="text-brand">
            <Icon name="check" />
          </Menu.RadioItemIndicator>
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}

function LogOutItem() {
  const leave = useGoToLogin()
  const logOut = async () => {
    try {
      await session.logOut()
      await leave()
    } catch (error) {
      showErrorToast('Could not log you out', reasonOf(error))
    }
  }
  return (
    <Menu.Item className={itemClass} onClick={logOut}>
      Log out
    </Menu.Item>
  )
}
