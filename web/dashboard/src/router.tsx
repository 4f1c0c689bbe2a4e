// All pages. Each area lists its routes in pages/…-routes.ts; names in the navigation are in
// frame/navigation.ts.

import { createRouter } from '@tanstack/react-router'
import { FlorinError } from '../../../client/src/florin.ts'
import { onStepUp } from './api/request.ts'
import type { DashboardSession } from './api/session.ts'
import { queryClient, sessionQuery } from './api/use-florin.ts'
import { LoadingPage, NotFoundPage, PageError } from './frame/fallback-pages.tsx'
import { loginRoute, rootRoute, shellRoute } from './frame/root-routes.tsx'
import { accountRoutes } from './pages/account-routes.ts'
import { adminRoutes } from './pages/admin-routes.ts'
import { developerRoutes } from './pages/developer-routes.ts'
import { moneyRoutes } from './pages/money-routes.ts'
import { paymentRoutes } from './pages/payment-routes.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    loginRoute,
    shellRoute.addChildren([
      ...moneyRoutes,
      ...paymentRoutes,
      ...developerRoutes,
      ...adminRoutes,
      ...accountRoutes,
    ]),
  ]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  defaultPendingComponent: LoadingPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// The dialog is loaded when the server requires it.
onStepUp(async () => (await import('./parts/confirm-login.tsx')).confirmLogin())

// A 401 from any call may mean that the session was revoked, so the session is fetched again.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (isSession(query)) return onSessionChange(type, query.state.data)
  const { error } = query.state
  if (type !== 'updated' || !(error instanceof FlorinError) || error.status !== 401) return
  if (queryClient.getQueryData(sessionQuery.queryKey)?.user == null) return
  void queryClient.prefetchQuery({ ...sessionQuery, staleTime: 0 })
})

function isSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[0] === sessionQuery.queryKey[0]
}

/** The id of the logged-in user; null when logged out, undefined while unknown. */
let user_id: string | null | undefined

/**
 * Redirects to the login page when a session ends, including when it ends in another tab. The cache
 * is cleared first: the next user may not be allowed to see its contents.
 */
function onSessionChange(type: string, session: DashboardSession | undefined): void {
  const before = user_id
  // Logging out removes the query and redirects by itself.
  user_id = type === 'removed' || session === undefined ? undefined : (session.user?.id ?? null)
  // On the login page every check returns null, which is not a change.
  if (before === undefined || user_id === undefined || user_id === before) return
  queryClient.removeQueries({ predicate: (query) => !isSession(query) })
  if (user_id === null) void router.invalidate()
}
