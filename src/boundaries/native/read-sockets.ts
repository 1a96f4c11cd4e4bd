import { readdirSync } from 'node:fs'
import { readTarget, readText } from './read-proc.ts'
import type { Sighting } from './sighting.ts'

type Connection = Extract<Sighting, { kind: 'connection' }>

/** One line of a table of sockets. Source: proc_net_tcp.rst of the kernel. */
interface Socket {
  readonly inode: string
  readonly local: string
  readonly remote: string
  readonly state: string
  readonly isDatagram: boolean
}

const LISTENING = '0A'
const DNS = 53

/**
 * The connections that this process has made over IP, and its datagram sockets, by the kernel's tables. Left out: connections of others to a server of
 * this process; and what looks a name up, for `dns.lookup` too: a query to port 53, and a probe of a route, to port 0.
 */
export function readConnections(): Connection[] {
  const { sockets, loops } = readDescriptors()
  if (sockets.size === 0) return []
  const all = tables.flatMap(readTable).filter(({ inode }) => sockets.has(inode))
  const served = new Set(all.filter(({ state, isDatagram }) => !isDatagram && state === LISTENING).map(({ local }) => portOf(local)))
  const inLoop = loopedBy(loops)
  return all.flatMap((socket) => {
    const { inode, local, remote, state, isDatagram } = socket
    const descriptor = sockets.get(inode)
    if (descriptor === undefined || (!isDatagram && (state === LISTENING || served.has(portOf(local))))) return []
    const hasPeer = !/^0+:/.test(remote)
    if (isDatagram && hasPeer && (portOf(remote) === DNS || portOf(remote) === 0)) return []
    const peer = hasPeer ? printAddress(remote) : `port ${portOf(local)} (bound)`
    return [{ kind: 'connection', id: inode, descriptor, peer, isDatagram, isInLoop: inLoop.has(descriptor) }]
  })
}

/** The descriptors that event loops of Node's wait for now. A loop hands over what is new when it waits the next time. */
export function readLooped(): ReadonlySet<number> {
  return loopedBy(readDescriptors().loops)
}

const tables = [
  { file: '/proc/self/net/tcp', isDatagram: false },
  { file: '/proc/self/net/tcp6', isDatagram: false },
  { file: '/proc/self/net/udp', isDatagram: true },
  { file: '/proc/self/net/udp6', isDatagram: true },
]

function readTable({ file, isDatagram }: (typeof tables)[number]): Socket[] {
  const lines = readText(file).split('\n').slice(1, -1)
  return lines.flatMap((line) => {
    const [, local = '', remote = '', state = '', , , , , , inode = '0'] = line.trim().split(/\s+/)
    return inode === '0' ? [] : [{ inode, local, remote, state, isDatagram }]
  })
}

/** The sockets of this process, by inode, and its epoll instances. */
function readDescriptors(): { readonly sockets: Map<string, number>; readonly loops: Set<number> } {
  const sockets = new Map<string, number>()
  const loops = new Set<number>()
  for (const name of readdirSync('/proc/self/fd')) {
    // It may be closed by now.
    const target = readTarget(`/proc/self/fd/${name}`)
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode !== undefined) sockets.set(inode, Number(name))
    else if (target === 'anon_inode:[eventpoll]') loops.add(Number(name))
  }
  return { sockets, loops }
}

/**
 * The descriptors that event loops of libuv wait for. Libuv gives the kernel the descriptor as the datum of each; Rust's mio and others an address
 * or a token. Source: libuv, src/unix/linux.c; proc_pid_fdinfo(5).
 */
function loopedBy(loops: ReadonlySet<number>): Set<number> {
  const found = new Set<number>()
  for (const loop of loops) {
    const info = readText(`/proc/self/fdinfo/${loop}`)
    const entries = [...info.matchAll(/^tfd:\s*(\d+)\s+events:\s*\w+\s+data:\s*([0-9a-f]+)/gm)]
    const targets = entries.map(([, target = '', datum = '']) => [Number(target), Number.parseInt(datum.slice(-8), 16)] as const)
    if (targets.every(([target, datum]) => target === datum)) for (const [target] of targets) found.add(target)
  }
  return found
}

function portOf(address: string): number {
  return Number.parseInt(address.slice(address.lastIndexOf(':') + 1), 16)
}

/** Prints an address of a table: words of 32 bits in the order of this machine's bytes, and a port. */
function printAddress(address: string): string {
  const bytes = Buffer.from(address.slice(0, address.lastIndexOf(':')), 'hex').swap32()
  const host = bytes.length === 4 ? [...bytes].join('.') : printIpv6(bytes)
  return `${host}:${portOf(address)}`
}

function printIpv6(bytes: Buffer): string {
  const isMapped = bytes.subarray(0, 12).toString('hex') === '00000000000000000000ffff'
  if (isMapped) return [...bytes.subarray(12)].join('.')
  const words = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16))
  // `URL` abbreviates the zeros.
  return new URL(`http://[${words.join(':')}]`).hostname
}
