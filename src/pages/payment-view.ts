// What the payment page is told. One object per state, with all that the state shows and no more,
// so that a route which forgets a fact does not compile.

/** The fields of the card form, in the order in which it shows them. */
export type CardField = 'number' | 'expires' | 'csc'

/** `past` is said of `expires` alone: the card ended before this month. */
export type CardFault = 'missing' | 'malformed' | 'past'

export type CardFaults = Partial<Record<CardField, CardFault>>

/** Why the form is shown again. In each case no money was taken. */
export type PaymentFormError =
  | { code: 'declined' }
  | { code: 'insufficient_funds' }
  /** The number is no test card. Only the page learns it; the number itself goes nowhere. */
  | { code: 'card_refused' }
  | { code: 'malformed'; faults: CardFaults }
  /** Too many tries in a short time. */
  | { code: 'too_many' }
  /** The form's token is missing, spent or too old. */
  | { code: 'form_expired' }
  /** Another site sent the form. */
  | { code: 'cross_site' }

/** What every page is told, whatever is known of the request. */
export interface PageFacts {
  /** Says above all that no real money moves. */
  sandbox: boolean
  /**
   * The path of Florin's public address, '' at the root of a host. A proxy that serves Florin under
   * a path takes it off, so that only what a browser is told begins with it.
   */
  base_path: string
}

/** What is known of every payment request, in whatever state. */
export interface PaymentFacts extends PageFacts {
  account_name: string
  /** In minor units. */
  amount: number
  currency: string
  reference: string | null
  /** Whom the request was sent to; null hides the line. */
  customer_email: string | null
  /** The account's BCP 47 tag; a language without words here is shown in English. */
  language: string
  timezone: string
  /** Where no card is taken, money comes by ways that the page does not see. */
  takes_cards: boolean
  /** The path of the page itself, in the account's language: its other languages are below it. */
  page_path: string
}

interface Receipt {
  /** RFC 3339, or a Date. */
  paid_at: string | Date
  /** The number of the receipt. */
  transaction_id: string
  /** What has come back of it, once a refund has succeeded. */
  refund: ShownRefund | null
}

export interface ShownRefund {
  /** In minor units, of all refunds together. */
  amount: number
  /** When the last of them succeeded. */
  at: string | Date
}

/** Where the link leads nowhere, nothing is known of an account. */
interface UnknownLink extends PageFacts {
  /** What the reader's browser asks for, or nothing: English. */
  language?: string | undefined
}

export type PaymentView =
  | (PaymentFacts & {
      state: 'form'
      /** The page itself, in the language that it is read in. */
      form_action: string
      /** Sent back in the hidden field `form_token`. */
      form_token: string
      expires_at: string | Date
      error?: PaymentFormError | undefined
      /** Kept from the last try. Never the number, never the security code. */
      values?: { expires: string } | undefined
    })
  | (PaymentFacts & {
      state: 'manual'
      /**
       * The operator's own words; line breaks are kept, nothing in it is markup. Without them the
       * page says whom to ask.
       */
      instructions: string | undefined
      /** What the payer writes on the transfer, so that the money is matched. */
      transfer_reference: string
      expires_at: string | Date
    })
  /** `page_url` is the path of the page itself, which the page asks for again by itself. */
  | (PaymentFacts & { state: 'processing'; page_url: string })
  | (PaymentFacts & Receipt & { state: 'paid' })
  /** Somebody pays what is paid: another tab, or the same form once more. */
  | (PaymentFacts & Receipt & { state: 'already_paid' })
  /** Ended by the tenth declined attempt, or by whoever settles. */
  | (PaymentFacts & { state: 'failed'; declined: boolean })
  | (PaymentFacts & { state: 'canceled' })
  | (PaymentFacts & { state: 'expired'; expires_at: string | Date })
  /** The account is suspended and takes nothing now. */
  | (PaymentFacts & { state: 'unavailable' })
  | (UnknownLink & { state: 'not_found' })
  | (UnknownLink & { state: 'away'; page_url: string })

export type PaymentState = PaymentView['state']
