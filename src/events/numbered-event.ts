// An event with its number, which was taken under the account's lock.

export interface NumberedEvent {
  account_id: string
  sequence: number
  id: string
  type: string
  object_id: string
  at: Date
  data: string
}
