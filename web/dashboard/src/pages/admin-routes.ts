// Admin pages: users, accounts, audit log, bank, reconciliation, health, emails and test clock.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { bank_entry_statuses } from '../api/api-types.ts'
import { shellRoute } from '../frame/root-routes.tsx'
import { day, oneOf, pageNumber, readSearch, text } from '../parts/search-params.ts'
import { account_statuses, account_types, email_states, user_statuses } from './admin-labels.ts'

const getParentRoute = () => shellRoute

export const adminRoutes = [
  createRoute({
    getParentRoute,
    path: '/users',
    validateSearch: readSearch({
      search: text,
      status: oneOf(user_statuses),
      page: pageNumber,
    }),
    component: lazyRouteComponent(() => import('./users/users.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/users/$id',
    component: lazyRouteComponent(() => import('./users/user.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts',
    validateSearch: readSearch({
      search: text,
      status: oneOf(account_statuses),
      type: oneOf(account_types),
      page: pageNumber,
    }),
    component: lazyRouteComponent(() => import('./accounts/accounts.tsx'), 'AccountsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/accounts/$id',
    component: lazyRouteComponent(() => import('./accounts/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: readSearch({
      action: text,
      actor: text,
      object: text,
      date_from: day,
      date_to: day,
    }),
    component: lazyRouteComponent(() => import('./audit/audit.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/bank',
    validateSearch: readSearch({ status: oneOf(bank_entry_statuses) }),
    component: lazyRouteComponent(() => import('./bank/bank.tsx'), 'BankPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/bank/$id',
    component: lazyRouteComponent(() => import('./bank/bank-entry.tsx'), 'BankEntryPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/reconciliation',
    component: lazyRouteComponent(
      () => import('./reconciliation/reconciliation.tsx'),
      'ReconciliationPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/reconciliation/$id',
    component: lazyRouteComponent(
      () => import('./reconciliation/settlement.tsx'),
      'SettlementPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/health',
    component: lazyRouteComponent(() => import('./health/health.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/emails',
    validateSearch: readSearch({ to: text, state: oneOf(email_states) }),
    component: lazyRouteComponent(() => import('./emails/emails.tsx'), 'EmailsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/emails/$id',
    component: lazyRouteComponent(() => import('./emails/email.tsx'), 'EmailPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/clock',
    component: lazyRouteComponent(() => import('./clock/clock.tsx'), 'ClockPage'),
  }),
] as const
