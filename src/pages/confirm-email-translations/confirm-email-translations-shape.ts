// Every sentence that the page behind the link to a new email can say.

/** What there is to know or to do: in bold, and what it means. */
export type StepText = readonly [title: string, text: string]

export interface ConfirmEmailTranslations {
  account: string
  email: string
  new_email: string
  this_link: string
  link_lifetime: string

  confirm: {
    heading: string
    lead: (account: string) => string
    what: string
    steps: readonly [StepText, StepText]
    button: string
    safe: string
  }
  /** Over what to do after each of the others. */
  next: string
  confirmed: {
    heading: string
    lead: (account: string) => string
    steps: readonly [StepText, StepText]
  }
  dead: { heading: string; lead: string; steps: readonly [StepText, StepText] }
  taken: { heading: string; lead: string; steps: readonly [StepText, StepText] }
}
