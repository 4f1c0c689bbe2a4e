// Pages about being paid: payment requests and subscriptions.

export const paymentRoutes = [] as const
