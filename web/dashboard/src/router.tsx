// All pages. A page is one line in the `…Routes` of its area; what its name in the navigation is
// stands in frame/navigation.ts.

import { createRouter } from '@tanstack/react-router'
import { FlorinError } from '../../../client/src/florin.ts'
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

// A session that was revoked is seen at the next call: the server is asked who is there.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (isSession(query)) return noteWhoIsThere(type, query.state.data)
  const { error } = query.state
  if (type !== 'updated' || !(error instanceof FlorinError) || error.status !== 401) return
  if (queryClient.getQueryData(sessionQuery.queryKey)?.user == null) return
  void queryClient.prefetchQuery({ ...sessionQuery, staleTime: 0 })
})

function isSession({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey[0] === sessionQuery.queryKey[0]
}

/** Their id; null when it is nobody, undefined while that is not known. */
let there: string | null | undefined

/**
 * Whoever was signed in and is not any more is led to the door, however that was learned. What one
 * person was shown is forgotten before the next one comes, who may not be allowed to see it.
 */
function noteWhoIsThere(type: string, told: DashboardSession | undefined): void {
  const before = there
  // What is removed was forgotten by somebody who leaves, and goes to the door by themselves.
  there = type === 'removed' || told === undefined ? undefined : (told.user?.id ?? null)
  // Only a change counts: at the door nobody is there, each time it is asked.
  if (before === undefined || there === undefined || there === before) return
  queryClient.removeQueries({ predicate: (query) => !isSession(query) })
  if (there === null) void router.invalidate()
}
