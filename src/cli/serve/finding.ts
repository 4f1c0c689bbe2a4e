/** The result of one check of florin doctor. */
export interface Finding {
  check: string
  state: 'ok' | 'warn' | 'fail'
  message: string
}

export function ok(check: string, message: string): Finding {
  return { check, state: 'ok', message }
}

export function warn(check: string, message: string): Finding {
  return { check, state: 'warn', message }
}

export function fail(check: string, message: string): Finding {
  return { check, state: 'fail', message }
}
