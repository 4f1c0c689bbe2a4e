// Pagination by page number.

export const page_limit_max = 100

export interface NumberedQuery {
  page: number
  limit: number
}

/** A limit above the maximum is reduced to the maximum. */
export function clampLimit(limit: number): number {
  return Math.min(limit, page_limit_max)
}

/** The offset, or undefined for a page past the end, which needs no statement. */
export function findOffset(query: NumberedQuery, total: number): number | undefined {
  const offset = (query.page - 1) * query.limit
  return offset < total ? offset : undefined
}

export function pageCount(total: number, limit: number): number {
  return Math.ceil(total / limit)
}
