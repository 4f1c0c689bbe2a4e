// The address a request is counted under. One IPv6 customer has a whole /64 to choose addresses
// from, so those count as one.

import { isIPv6 } from 'node:net'

export function countedAddress(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  return mapped ?? `${expand(ip).slice(0, 4).join(':')}::/64`
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
