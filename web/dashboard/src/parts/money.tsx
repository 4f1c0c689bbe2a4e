import { minorDigits } from '../../../../src/primitives/currencies.ts'
import { amountText, namesCurrency } from '../../../../src/primitives/money.ts'
import { useAccountSettings } from '../api/account-settings.ts'

interface MoneyProps {
  /** In minor units. */
  amount: number
  currency: string
  /** Outgoing money: shown with a minus sign. */
  out?: boolean
  /** Adds the currency code when the symbol alone is ambiguous. */
  code?: boolean
}

/** An amount with the currency's number of decimals, in the account's language. */
export function Money({ amount, currency, out = false, code = false }: MoneyProps) {
  const text = useMoneyText()(Math.abs(amount), currency)
  const negative = out || amount < 0
  return (
    <span className="figures whitespace-nowrap">
      {negative && '−'}
      {text}
      {code && !namesCurrency(text, currency) && (
        <span className="ml-1 text-[0.55em] leading-none font-medium text-muted">{currency}</span>
      )}
    </span>
  )
}

/** Formats an amount as text, for buttons and messages. */
export function useMoneyText(): (amount: number, currency: string) => string {
  const { language } = useAccountSettings()
  return (amount, currency) => amountText(amount, currency, language)
}

/** "$4K", for chart axes. The suffixes K and M follow the dashboard's English locale. */
export function useShortMoney(): (amount: number, currency: string) => string {
  const { locale } = useAccountSettings()
  return (amount, currency) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      notation: 'compact',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 0,
      maximumFractionDigits: 1,
    }).format(amount / 10 ** minorDigits(currency))
}
