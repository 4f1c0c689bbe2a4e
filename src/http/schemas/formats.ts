// The custom formats used in schemas. Each has a validator, a rule for error messages and a JSON
// Schema equivalent for the OpenAPI document.

import { isCurrency } from '../../primitives/currencies.ts'
import { isEmail } from '../../primitives/email-address.ts'
import { isBlank, isLanguage, isPlainText } from '../../primitives/text.ts'
import { isTimeZone, parseTimestamp } from '../../primitives/time.ts'

import { documentedAs } from './parts.ts'

export const formats = {
  line: isPlainText,
  name: (text: string) => isPlainText(text) && !isBlank(text),
  text: (text: string) => isPlainText(text.replaceAll('\n', '')),
  email: isEmail,
  currency: isCurrency,
  timezone: isTimeZone,
  language: isLanguage,
  timestamp: (text: string) => parseTimestamp(text, 'first') !== undefined,
  // Used in responses only, which are not validated.
  'date-time': true,
  uri: true,
} as const

/**
 * The same rules as JSON Schema: readers of the OpenAPI document do not know the custom formats.
 */
export const documentedFormats: Record<string, object> = {
  line: { pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  name: { pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$' },
  text: { pattern: '^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f]*$' },
  currency: documentedAs('Currency'),
  timezone: { pattern: '^(UTC|[A-Za-z]+(/[A-Za-z0-9_+-]+)+)$' },
  language: { pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$' },
  // Not `anyOf` of date and date-time: generated Java clients fail if such a parameter is not set.
  timestamp: {
    pattern:
      '^\\d{4}-\\d\\d-\\d\\d' +
      '([Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d))?$',
  },
}

export const formatRules: Record<string, string> = {
  line: 'must be well-formed text without control characters',
  name: 'must be well-formed text without control characters, and not blank',
  text: 'must be well-formed text without control characters other than line feeds',
  email: 'must be an email address such as ann@example.com',
  currency: 'must be an active ISO 4217 currency code in upper case, such as USD',
  timezone: 'must be an IANA time zone such as Europe/Berlin, or UTC',
  language: 'must be a BCP 47 language tag such as en or pt-BR',
  timestamp: 'must be an RFC 3339 date or time, such as 2026-01-31 or 2026-01-31T09:30:00Z',
}
