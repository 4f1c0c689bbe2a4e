// All pages. A page is one line in the `…Routes` of its area; what its name in the navigation is
// stands in frame/navigation.ts.

import { createRouter } from '@tanstack/react-router'
import { FlorinError } from '../../../client/src/florin.ts'
import { queryClient, sessionQuery } from './api/use-florin.ts'
import { LoadingPage, LostPage } from './frame/lost-page.tsx'
import { rootRoute, shellRoute, signInRoute } from './frame/root-routes.tsx'
import { accountRoutes } from './pages/account-routes.ts'
import { adminRoutes } from './pages/admin-routes.ts'
import { developerRoutes } from './pages/developer-routes.ts'
import { moneyRoutes } from './pages/money-routes.ts'
import { paymentRoutes } from './pages/payment-routes.ts'

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
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
  defaultNotFoundComponent: LostPage,
  defaultPendingComponent: LoadingPage,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// A session that was revoked is seen at the next call: whoever it was is asked to sign in again.
queryClient.getQueryCache().subscribe(({ type, query }) => {
  const { error } = query.state
  if (type !== 'updated' || !(error instanceof FlorinError) || error.status !== 401) return
  if (queryClient.getQueryData(sessionQuery.queryKey)?.user == null) return
  void askWhoIsThere()
})

async function askWhoIsThere(): Promise<void> {
  const found = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
  if (found.user === null) await router.invalidate()
}
