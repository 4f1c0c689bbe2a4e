// Names of payment providers and cards.

const providers: Record<string, string> = {
  stripe: 'Stripe',
  mollie: 'Mollie',
  sandbox: 'Sandbox',
  bank_transfer: 'Bank transfers',
}

export function providerName(provider: string): string {
  return providers[provider] ?? provider
}

const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export function cardText({ brand, last4 }: { brand: string; last4: string }): string {
  const name = brands[brand.toLowerCase()] ?? 'Card'
  return last4 === '' ? name : `${name} ending in ${last4}`
}
