// Pages for developers: events, webhooks, keys and the request log.

export const developerRoutes = [] as const
