// Numbered pages: where a page starts, whatever number was asked for.

export const page_limit_max = 100

export interface NumberedQuery {
  page: number
  limit: number
}

/** A limit above the maximum means the maximum. */
export function clampLimit(limit: number): number {
  return Math.min(limit, page_limit_max)
}

/** The offset, or undefined for a page past the end: no statement need be run for that one. */
export function findOffset(query: NumberedQuery, total: number): number | undefined {
  const offset = (query.page - 1) * query.limit
  return offset < total ? offset : undefined
}

export function pageCount(total: number, limit: number): number {
  return Math.ceil(total / limit)
}
