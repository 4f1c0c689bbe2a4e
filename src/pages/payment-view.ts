// The input of the payment page: one type per state, with exactly the fields that the state shows.
// A route that omits a field does not compile.

import type { ProviderName } from '../processors/provider.ts'
import type { PaymentBrand } from './payment-brand.ts'

/** The fields of the card form, in display order. */
export type CardField = 'number' | 'expires' | 'csc'

/** `past` applies to `expires` only: the card expired before this month. */
export type CardFault = 'missing' | 'malformed' | 'past'

export type CardFaults = Partial<Record<CardField, CardFault>>

/** Why the form is shown again. In each case no money was taken. */
export type PaymentFormError =
  | { code: 'declined' }
  | { code: 'insufficient_funds' }
  | { code: 'processing_error' }
  /** The payer rejected the payment when the bank asked, or did not confirm it. */
  | { code: 'authentication_failed' }
  /** The number is not a test card. It is neither stored nor sent to the processor. */
  | { code: 'card_refused' }
  | { code: 'malformed'; faults: CardFaults }
  /** The rate limit was exceeded. */
  | { code: 'too_many' }
  /** The form token is missing, invalid or too old. */
  | { code: 'form_expired' }
  /** The form was submitted from another site. */
  | { code: 'cross_site' }

/** Why the choice of providers is shown again. In each case no money was taken. */
export type CheckoutError =
  /** The outcome is unknown; another attempt continues where this one stopped. */
  | 'unavailable'
  /** The provider does not accept this payment. */
  | 'rejected'
  | 'too_many'
  | 'form_expired'
  | 'cross_site'

/** How a payer can pay without a provider. */
export interface TransferFacts {
  /**
   * The instructions of the account, or else FLORIN_PAYMENT_INSTRUCTIONS, as plain text with line
   * breaks. When undefined, the page refers the payer to the account.
   */
  instructions: string | undefined
  /** An RF creditor reference in electronic form: matches the payer's transfer to this request. */
  transfer_reference: string
  /** Replaces the instructions. */
  bank_account: ShownBankAccount | undefined
}

/** A bank account of the operator. */
interface ShownBankAccount {
  name: string
  /** In electronic form. Null outside of countries with IBANs. */
  iban: string | null
  bic: string | null
  /** What identifies the account instead of an IBAN. */
  fields: { label: string; value: string }[]
  /** The text of the QR code that banking apps read. Only for euros. */
  qr_text: string | undefined
}

/** Fields that every page needs, even when the payment request is unknown. */
export interface PageFacts {
  /** Shows the banner that no real money moves. */
  sandbox: boolean
  /**
   * The path of Florin's public URL; '' at the root of a host. A reverse proxy that serves Florin
   * under a path strips it from requests, so only URLs sent to the browser include it.
   */
  base_path: string
}

/** Fields of a payment request that every state shows. */
export interface PaymentFacts extends PageFacts {
  account_name: string
  /** In minor units. */
  amount: number
  currency: string
  reference: string | null
  /** From the account to the customer, plain text with line breaks. */
  message: string | null
  /** The recipient of the request. Null hides the row. */
  customer_email: string | null
  /** For questions: the support email of the account, or else its email. */
  contact_email: string
  brand: PaymentBrand
  /** The payer's BCP 47 tag. A language without a translation falls back to English. */
  language: string
  /** The account's time zone. The script shows times in the payer's time zone. */
  timezone: string
  /** When false, money arrives in another way, and the page cannot know whether it was sent. */
  takes_cards: boolean
  /** The path of this page in the payer's preferred language. Others append `?lang=`. */
  page_path: string
  /**
   * The path that redirects to the account's site. Null if the request has no URL for its state or
   * its origin is not registered. The URL itself is not on the page: it is checked when used.
   */
  back_path: string | null
}

interface Receipt {
  /** RFC 3339, or a Date. */
  paid_at: string | Date
  transaction_id: string
  /** The path of the PDF file, in the preferred language. Others append `?lang=`. */
  receipt_path: string
  /** One for each refund that has succeeded. */
  credit_note_paths: string[]
  /** Set once a refund has succeeded. */
  refund: ShownRefund | null
}

export interface ShownRefund {
  /** The total of all refunds, in minor units. */
  amount: number
  /** When the latest refund succeeded. */
  at: string | Date
}

/** The link matches no payment request, so there is no account either. */
interface UnknownLink extends PageFacts {
  /** The browser's preferred language. Defaults to English. */
  language?: string | undefined
}

export type PaymentView =
  | (PaymentFacts & {
      state: 'form'
      /** The path of this page in its current language. */
      form_action: string
      /** Submitted in the hidden field `form_token`. */
      form_token: string
      expires_at: string | Date
      error?: PaymentFormError | undefined
      /** Restored after a failed attempt. Never the card number or the security code. */
      values?: { expires: string } | undefined
    })
  /** The card needs a confirmation by the payer. Only in the sandbox, which plays the bank. */
  | (PaymentFacts & {
      state: 'confirm'
      form_action: string
      form_token: string
      /** The number of the test card. */
      card: string
    })
  | (PaymentFacts & TransferFacts & { state: 'manual'; expires_at: string | Date })
  /** The payer pays on a provider's page. */
  | (PaymentFacts & {
      state: 'checkout'
      /** At least one, in the configured order. */
      providers: ProviderName[]
      /** Set if the payer may transfer the money instead. */
      transfer: TransferFacts | undefined
      form_action: string
      form_token: string
      expires_at: string | Date
      error?: CheckoutError | undefined
    })
  /** `page_url` is the path of this page, which polls itself. */
  | (PaymentFacts & { state: 'processing'; page_url: string })
  | (PaymentFacts & Receipt & { state: 'paid' })
  /** The form was submitted again after the request was paid, for example in another tab. */
  | (PaymentFacts & Receipt & { state: 'already_paid' })
  /** `declined` after the tenth declined card; otherwise the settlement failed. */
  | (PaymentFacts & { state: 'failed'; declined: boolean })
  | (PaymentFacts & { state: 'canceled' })
  | (PaymentFacts & { state: 'expired'; expires_at: string | Date })
  /** The account is suspended and cannot accept payments. */
  | (PaymentFacts & { state: 'unavailable' })
  | (UnknownLink & { state: 'not_found' })
  | (UnknownLink & { state: 'away'; page_url: string })

export type PaymentState = PaymentView['state']
