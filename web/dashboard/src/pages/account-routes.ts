// Settings and sessions of the logged-in user, and the page for unknown paths.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NotFoundPage } from '../frame/fallback-pages.tsx'
import { shellRoute } from '../frame/root-routes.tsx'
import { oneOf, readSearch } from '../parts/search-params.ts'

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings.tsx'), 'SettingsLayout'),
})

const getParentRoute = () => settingsRoute

/** Listed in settings/settings-sections.ts, which the navigation of the settings shows. */
const sectionRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./settings/business.tsx'), 'BusinessSection'),
  }),
  createRoute({
    getParentRoute,
    path: 'payment-page',
    component: lazyRouteComponent(
      () => import('./settings/payment-page.tsx'),
      'PaymentPageSection',
    ),
  }),
  createRoute({
    getParentRoute,
    path: 'branding',
    component: lazyRouteComponent(() => import('./settings/branding.tsx'), 'BrandingSection'),
  }),
  createRoute({
    getParentRoute,
    path: 'notifications',
    component: lazyRouteComponent(
      () => import('./settings/notifications.tsx'),
      'NotificationsSection',
    ),
  }),
  createRoute({
    getParentRoute,
    path: 'team',
    validateSearch: readSearch({ create: oneOf(['yes']) }),
    component: lazyRouteComponent(() => import('./settings/team.tsx'), 'TeamSection'),
  }),
  createRoute({
    getParentRoute,
    path: 'profile',
    component: lazyRouteComponent(() => import('./settings/profile.tsx'), 'ProfileSection'),
  }),
  createRoute({
    getParentRoute,
    path: 'security',
    component: lazyRouteComponent(() => import('./settings/security.tsx'), 'SecuritySection'),
  }),
] as const

export const accountRoutes = [
  settingsRoute.addChildren(sectionRoutes),
  createRoute({
    getParentRoute: () => shellRoute,
    path: '/sessions',
    component: lazyRouteComponent(() => import('./sessions/sessions.tsx'), 'SessionsPage'),
  }),
  createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage }),
] as const
