// Pages for those who run the service: users, accounts, audit, health, mail, clock.

export const adminRoutes = [] as const
