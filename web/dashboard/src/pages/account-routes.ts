// Pages about the person who is signed in.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '../frame/root-routes.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./sessions.tsx'), 'SessionsPage'),
  }),
] as const
