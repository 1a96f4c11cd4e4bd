import { faultsOfEnded, readChildren } from './read-children.ts'
import { readText } from './read-proc.ts'
import { readConnections } from './read-sockets.ts'
import type { View } from './sighting.ts'

/** Asks the kernel what this process has open and has done. */
export function look(): View {
  return { sightings: [...readConnections(), ...readChildren()], counters: readCounters() }
}

/** What this process has done so far, by the kernel's count. */
export function readCounters(): View['counters'] {
  return { ended: faultsOfEnded(), attempts: countAttempts() }
}

/**
 * Counts what was sent out in this network namespace: connections over TCP, datagrams, and what found no way. Source: RFC 1213 (tcpActiveOpens,
 * udpOutDatagrams, ipOutNoRoutes).
 */
function countAttempts(): number {
  const version4 = readText('/proc/self/net/snmp')
  const version6 = readText('/proc/self/net/snmp6')
  const sum = [
    fieldOf(version4, 'Ip', 'OutNoRoutes'),
    fieldOf(version4, 'Tcp', 'ActiveOpens'),
    fieldOf(version4, 'Udp', 'OutDatagrams'),
    ...['Ip6OutNoRoutes', 'Udp6OutDatagrams'].map((name) => Number(new RegExp(`^${name}\\s+(\\d+)`, 'm').exec(version6)?.[1] ?? 0)),
  ]
  return sum.reduce((all, each) => all + each, 0)
}

/** A table of two lines for each protocol: names, and values. */
function fieldOf(text: string, protocol: string, name: string): number {
  const [names = [], values = []] = text
    .split('\n')
    .filter((line) => line.startsWith(`${protocol}:`))
    .map((line) => line.split(' '))
  return Number(values[names.indexOf(name)] ?? 0)
}
