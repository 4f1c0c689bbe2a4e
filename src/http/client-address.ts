// The address that a request counts against. An IPv6 customer can use a whole /64, so each /64
// counts as one address.

import { isIPv4, isIPv6 } from 'node:net'

// Consecutive requests often come from the same address.
let last_text = ''
let last_address = ''

/**
 * Fastify types the address as a string, but a closed socket has none. No one reads the response
 * to such a request, so they all count as one address.
 */
export function rateLimitAddress(text: string | undefined): string {
  if (text === undefined) return 'unknown'
  if (text === last_text) return last_address
  last_address = readAddress(text)
  last_text = text
  return last_address
}

function readAddress(text: string): string {
  const ip = withoutPort(text)
  if (isIPv4(ip)) return ip
  // A proxy that hides its clients, or a forged header from a client that bypasses the proxy.
  if (!isIPv6(ip)) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? `${expand(ip).slice(0, 4).join(':')}::/64`
}

// Some proxies include the port.
function withoutPort(text: string): string {
  return /^\[(.*)\](:\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
}

function expand(ip: string): string[] {
  const [head = '', tail = ''] = ip.split('%', 1)[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...zeros, ...right]
}

export function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  return address === '::1' || /^(::ffff:)?127\./i.test(address)
}
