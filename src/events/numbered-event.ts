// An event with its sequence number, which is assigned under the account lock.

export interface NumberedEvent {
  account_id: string
  sequence: number
  id: string
  type: string
  object_id: string
  at: Date
  data: string
}
