// Developer pages: events, webhooks, API keys and the request log.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { delivery_statuses, request_methods, status_classes } from '../api/developer-filters.ts'
import { event_filters } from '../api/event-types.ts'
import { shellRoute } from '../frame/root-routes.tsx'
import { oneOf, readSearch, text } from '../parts/search-params.ts'

const getParentRoute = () => shellRoute

/** Opens the form, so other pages can link to it. */
const create = oneOf(['yes'])

export const developerRoutes = [
  createRoute({
    getParentRoute,
    path: '/events',
    validateSearch: readSearch({ type: oneOf(event_filters) }),
    component: lazyRouteComponent(() => import('./events/events.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/events/$id',
    component: lazyRouteComponent(() => import('./events/event.tsx'), 'EventPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks',
    validateSearch: readSearch({
      status: oneOf(delivery_statuses),
      health: oneOf(['failing', 'disabled']),
      create,
    }),
    component: lazyRouteComponent(() => import('./webhooks/webhooks.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/$id',
    validateSearch: readSearch({ status: oneOf(delivery_statuses) }),
    component: lazyRouteComponent(() => import('./webhooks/webhook.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/webhooks/deliveries/$id',
    component: lazyRouteComponent(() => import('./webhooks/delivery.tsx'), 'DeliveryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/api-keys',
    validateSearch: readSearch({ create }),
    component: lazyRouteComponent(() => import('./api-keys/api-keys.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/requests',
    validateSearch: readSearch({
      status: oneOf(status_classes),
      method: oneOf(request_methods),
      path: text,
    }),
    component: lazyRouteComponent(() => import('./request-log/requests.tsx'), 'RequestsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/requests/$id',
    component: lazyRouteComponent(() => import('./request-log/request.tsx'), 'RequestPage'),
  }),
] as const
