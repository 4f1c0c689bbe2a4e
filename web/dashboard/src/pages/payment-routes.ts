// Payment requests, disputes, subscriptions and customers.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { dispute_filters, payment_statuses, subscription_statuses } from '../api/api-types.ts'
import { shellRoute } from '../frame/root-routes.tsx'
import { dayOrInstant, instant, oneOf, readSearch, text } from '../parts/search-params.ts'

const getParentRoute = () => shellRoute

/** `create` opens the form, so other pages can link to it. */
const create = oneOf(['yes'])

export const paymentRoutes = [
  createRoute({
    getParentRoute,
    path: '/payments',
    validateSearch: readSearch({
      search: text,
      status: oneOf(payment_statuses),
      date_from: dayOrInstant,
      date_to: dayOrInstant,
      updated_from: instant,
      expires_from: instant,
      expires_to: instant,
      create,
      like: text,
    }),
    component: lazyRouteComponent(() => import('./payments/payments.tsx'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/payments/$id',
    component: lazyRouteComponent(() => import('./payments/payment.tsx'), 'PaymentPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/payment-links',
    validateSearch: readSearch({ create }),
    component: lazyRouteComponent(
      () => import('./payment-links/payment-links.tsx'),
      'PaymentLinksPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/payment-links/$id',
    component: lazyRouteComponent(
      () => import('./payment-links/payment-link.tsx'),
      'PaymentLinkPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/disputes',
    validateSearch: readSearch({ status: oneOf(dispute_filters) }),
    component: lazyRouteComponent(() => import('./disputes/disputes.tsx'), 'DisputesPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/disputes/$id',
    component: lazyRouteComponent(() => import('./disputes/dispute.tsx'), 'DisputePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/subscriptions',
    validateSearch: readSearch({ status: oneOf(subscription_statuses), create }),
    component: lazyRouteComponent(
      () => import('./subscriptions/subscriptions.tsx'),
      'SubscriptionsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/subscriptions/$id',
    component: lazyRouteComponent(
      () => import('./subscriptions/subscription.tsx'),
      'SubscriptionPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/customers',
    validateSearch: readSearch({ email: text }),
    component: lazyRouteComponent(() => import('./customers/customers.tsx'), 'CustomersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/customers/$id',
    component: lazyRouteComponent(() => import('./customers/customer.tsx'), 'CustomerPage'),
  }),
] as const
