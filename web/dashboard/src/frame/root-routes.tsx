// The root route, the shell, which requires a session, and the login page.

import {
  createRootRoute,
  createRoute,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { queryClient, sessionQuery } from '../api/use-florin.ts'
import { readSearch, text } from '../parts/search-params.ts'
import { RootErrorPage } from './fallback-pages.tsx'
import { Shell } from './shell.tsx'

export const rootRoute = createRootRoute({ component: Outlet, errorComponent: RootErrorPage })

/** The parent of every page. `account` is the account an admin views; it persists across pages. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  validateSearch: readSearch({ account: text }),
  search: { middlewares: [retainSearchParams(['account'])] },
  beforeLoad: async ({ location }) => {
    const { user } = await queryClient.ensureQueryData(sessionQuery)
    if (user === null) throw redirect({ to: '/login', search: { next: location.href } })
  },
  component: Shell,
  errorComponent: RootErrorPage,
})

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: readSearch({ next: text }),
  beforeLoad: async () => {
    const { user } = await queryClient.ensureQueryData(sessionQuery)
    if (user !== null) throw redirect({ to: '/' })
  },
  component: lazyRouteComponent(() => import('../pages/sessions/login.tsx'), 'LoginPage'),
  errorComponent: RootErrorPage,
})
