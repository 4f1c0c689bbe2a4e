// How a deprecated operation is announced: in its responses, by the headers of RFC 9745 and RFC
// 8594, and in the API description. docs/concepts/versions.md has the policy.

export interface Deprecation {
  /** The day of the release that deprecates the operation, such as 2026-11-18. */
  since: string
  /** The first day on which a release may remove the operation. */
  sunset: string
  /** What to use instead, such as `POST /v1/payments`. */
  use: string
}

const notice_min_ms = 180 * 86_400_000

export function deprecationHeaders({ since, sunset }: Deprecation): Record<string, string> {
  const [since_ms, sunset_ms] = [Date.parse(since), Date.parse(sunset)]
  return {
    deprecation: `@${since_ms / 1_000}`,
    sunset: new Date(sunset_ms).toUTCString(),
    link: '</docs/concepts/versions>; rel="deprecation"; type="text/html"',
  }
}

/** The parts of the OpenAPI operation. Throws if clients would have too little time. */
export function describeDeprecation(description: string, deprecated: Deprecation | undefined) {
  if (deprecated === undefined) return {}
  const { since, sunset, use } = deprecated
  if (!(Date.parse(sunset) - Date.parse(since) >= notice_min_ms)) {
    throw new Error(`"sunset" must be at least 180 days after "since" (${since}); got ${sunset}.`)
  }
  const notice = `Deprecated since ${since}: use ${use}. It may be removed on ${sunset} or later.`
  return { deprecated: true, description: `${description}\n\n${notice}` }
}
