// The texts of an email, without layout.

import type { EmailText } from '../translations/translations.ts'
import type { EmailBrand } from './email.ts'

export interface Draft extends EmailText {
  language: string
  /** Shown in large type. */
  amount: string | null
  rows: { label: string; value: string }[]
  /** Written by the account, after the lead. */
  message: { label: string; text: string } | null
  link: { url: string; button: string; hint: string; without_button: string } | null
  /** The sandbox banner. */
  band: string | null
  foot: string
  /** The page on which the reader turns this email off. */
  settings: { url: string; text: string } | null
  /** Only in emails to customers. */
  brand: ShownBrand | null
}

export interface ShownBrand extends Pick<EmailBrand, 'logo' | 'accent'> {
  name: string
  /** For questions: an email address, and perhaps a phone number and a website. */
  contact: string[]
  contact_label: string
}

export interface DraftOptions {
  sandbox: boolean
  /** Whether the processor accepts cards. If not, payments arrive by transfer. */
  takes_cards: boolean
  /** For links to the dashboard. Without it, there are none. */
  public_url?: string | undefined
}

/** What differs between the kinds of emails. */
export type Body = Omit<Draft, 'band' | 'foot' | 'language' | 'message' | 'brand' | 'settings'>
