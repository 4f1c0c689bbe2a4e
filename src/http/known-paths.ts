// The methods of each path, so that a wrong method is 405 with Allow instead of 404. The router
// cannot look these up by path, so they are collected as routes are registered.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HttpFault } from './http-fault.ts'

interface KnownPath {
  pattern: RegExp
  methods: Set<string>
}

export class KnownPaths {
  readonly #paths = new Map<string, KnownPath>()

  constructor(app: FastifyInstance) {
    app.addHook('onRoute', (route) => {
      for (const method of [route.method].flat()) this.#add(route.url, method)
    })
  }

  #add(url: string, method: string): void {
    const known = this.#paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    known.methods.add(method)
    this.#paths.set(url, known)
  }

  /**
   * The error for a request that matches no route: 405 when the path has other methods, else
   * 404.
   */
  errorFor(request: FastifyRequest): HttpFault {
    // The router matches the decoded path. normalizeUrl guarantees that it decodes.
    const allowed = this.#methodsOf(decodeURI(request.url.split('?', 1)[0]!))
    if (allowed.length === 0) {
      return new HttpFault(404, 'No such path. /openapi.json lists all paths.')
    }
    const list = allowed.join(', ')
    return new HttpFault(405, `This path supports ${list}; got ${request.method}.`, { allow: list })
  }

  #methodsOf(path: string): string[] {
    const found = [...this.#paths.values()].filter((known) => known.pattern.test(path))
    return [...new Set(found.flatMap((known) => [...known.methods]))].sort()
  }
}

function patternOf(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/:[a-z_]+/g, '[^/]+').replaceAll('*', '.*')}$`)
}
