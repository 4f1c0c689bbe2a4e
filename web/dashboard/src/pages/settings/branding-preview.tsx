import type { Account } from '../../api/api-types.ts'
import { Money } from '../../parts/money.tsx'

const example_amount = 7_500

interface PreviewProps {
  account: Account
  typed: Record<
    'accent_color' | 'support_email' | 'support_phone' | 'website' | 'statement_name',
    string
  >
  logo_url: string | null
}

/** The payment page with the typed values, before they are saved. */
export function BrandingPreview({ account, typed, logo_url }: PreviewProps) {
  const color = /^#[0-9a-f]{6}$/i.test(typed.accent_color) ? typed.accent_color : '#0b6b50'
  const contact = [typed.support_email || account.email, typed.support_phone, hostOf(typed.website)]
  return (
    // Always light, as most customers see it.
    <div
      role="img"
      aria-label="Preview of the payment page"
      className="mx-auto max-w-md rounded-lg border border-line p-5"
      style={{ background: '#f5f7f5', color: '#12211b', colorScheme: 'light' }}
    >
      <div className="flex items-center gap-3 font-semibold">
        {logo_url === null ? (
          <span
            className="grid size-10 shrink-0 place-items-center rounded-[10px] font-bold"
            style={{ background: color, color: textOn(color) }}
          >
            {account.name.slice(0, 1).toUpperCase()}
          </span>
        ) : (
          <img
            src={new URL(logo_url).pathname}
            alt=""
            className="max-h-10 max-w-[180px] rounded-lg bg-white"
          />
        )}
        <span className="min-w-0 wrap-anywhere">{account.name}</span>
      </div>
      <p className="mt-4 text-xl font-semibold">
        <Money amount={example_amount} currency={account.settings.currency} />
      </p>
      {typed.statement_name !== '' && (
        <p className="mt-1 text-xs">On your statement: {typed.statement_name}</p>
      )}
      <p
        className="mt-4 rounded-[10px] p-3 text-center font-semibold"
        style={{ background: color, color: textOn(color) }}
      >
        Pay
      </p>
      <p className="mt-3 text-xs wrap-anywhere">
        Questions about this payment? {contact.filter((one) => one).join(' · ')}
      </p>
    </div>
  )
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? ''
}

/** The server decides whether the color is readable: this only chooses white or black. */
function textOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! > 0.183 ? '#0a0a0a' : '#ffffff'
}
