const iban = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/

/** An IBAN in groups of four, as on paper. Other account numbers stay as they are. */
export function accountNumberText(number: string): string {
  return iban.test(number) ? number.replace(/.{4}(?=.)/g, '$& ') : number
}

export function AccountNumber({ of }: { of: string }) {
  return <span className="figures wrap-anywhere">{accountNumberText(of)}</span>
}

/** The rest of a long number, such as "… 3000": with the name, enough to recognize the account. */
export function accountNumberEnd(number: string): string {
  return `… ${number.slice(-4)}`
}
