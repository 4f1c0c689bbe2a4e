// Settings and sessions of the logged-in user, and the page for unknown paths.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NotFoundPage } from '../frame/fallback-pages.tsx'
import { shellRoute } from '../frame/root-routes.tsx'

export const accountRoutes = [
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./sessions/sessions.tsx'), 'SessionsPage'),
  }),
  createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage }),
] as const
