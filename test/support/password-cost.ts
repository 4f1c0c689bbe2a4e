// Passwords in tests are hashed at the lowest cost. A hash records its cost, so logins work with
// any.

import { password_cost } from '../../src/identity/users/password.ts'

/** The cost in production. */
export const full_cost = { ...password_cost }

export const lowest_cost = { memory: 8, passes: 1, parallelism: 1 }

Object.assign(password_cost, lowest_cost)

/** For tests in which hashing must take its time. */
export async function atFullCost<Result>(work: () => Promise<Result>): Promise<Result> {
  Object.assign(password_cost, full_cost)
  try {
    return await work()
  } finally {
    Object.assign(password_cost, lowest_cost)
  }
}
