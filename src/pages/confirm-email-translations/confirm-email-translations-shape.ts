// Every text of the page that confirms a new email address.

/** A list item: a title in bold, and its explanation. */
export type ListItem = readonly [title: string, text: string]

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
    steps: readonly [ListItem, ListItem]
    button: string
    safe: string
  }
  /** The heading above the steps of the states below. */
  next: string
  confirmed: {
    heading: string
    lead: (account: string) => string
    steps: readonly [ListItem, ListItem]
  }
  invalid: { heading: string; lead: string; steps: readonly [ListItem, ListItem] }
  taken: { heading: string; lead: string; steps: readonly [ListItem, ListItem] }
}
