// Home, transactions, transfers, payouts and the statement.

import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import {
  payout_statuses,
  transaction_statuses,
  transaction_types,
  transfer_directions,
  transfer_statuses,
} from '../api/api-types.ts'
import { shellRoute } from '../frame/root-routes.tsx'
import { day, dayOrInstant, oneOf, readSearch } from '../parts/search-params.ts'
import { periods } from './home/periods.ts'

const getParentRoute = () => shellRoute

export const moneyRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: readSearch({ period: oneOf(periods) }),
    component: lazyRouteComponent(() => import('./home/home.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/transactions',
    validateSearch: readSearch({
      status: oneOf(transaction_statuses),
      type: oneOf(transaction_types),
      date_from: dayOrInstant,
      date_to: dayOrInstant,
    }),
    component: lazyRouteComponent(
      () => import('./transactions/transactions.tsx'),
      'TransactionsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/transactions/$id',
    component: lazyRouteComponent(
      () => import('./transactions/transaction.tsx'),
      'TransactionPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/transfers',
    validateSearch: readSearch({
      status: oneOf(transfer_statuses),
      direction: oneOf(transfer_directions),
      create: oneOf(['yes']),
    }),
    component: lazyRouteComponent(() => import('./transfers/transfers.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/transfers/$id',
    component: lazyRouteComponent(() => import('./transfers/transfer.tsx'), 'TransferPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/payouts',
    validateSearch: readSearch({ status: oneOf(payout_statuses), create: oneOf(['yes']) }),
    component: lazyRouteComponent(() => import('./payouts/payouts.tsx'), 'PayoutsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/payouts/$id',
    component: lazyRouteComponent(() => import('./payouts/payout.tsx'), 'PayoutPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/statement',
    validateSearch: readSearch({ from: day, to: day }),
    component: lazyRouteComponent(() => import('./statement/statement.tsx'), 'StatementPage'),
  }),
] as const
