import type { X509Certificate } from 'node:crypto'
import type { ClientRequest } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { PeerCertificate, TLSSocket } from 'node:tls'
import { builtins } from '../../node/builtins.ts'
import { currentScope } from '../../run/scope.ts'
import type { ConnectionState } from '../../trace/http-facts.ts'
import { combine, replaceFunction, type Restore, sameEachTime } from '../patches.ts'

/** Connections of recorded requests. Others are the transport's own, or contacts. */
const followed = new WeakSet<object>()

/**
 * What a connection tells of itself: its ends, and what TLS agreed on. In a run, each call on the connection of a request is a read, like a
 * fact of the machine.
 *
 * @note The properties `remoteAddress`, `localPort` and so on cannot be replaced; they call the two functions with an underscore. Source:
 * Node, lib/net.js.
 */
export function connectionFactsDoor(): Restore {
  const { net, tls } = builtins
  const homes = { net: net.Socket.prototype, tls: tls.TLSSocket.prototype }
  return combine(...facts.map(({ home, name, door }) => replaceFunction(homes[home], name, door)))
}

/** Makes a connection's facts reads of the runs that use it. */
export function followConnection(socket: object): void {
  followed.add(socket)
}

/** Returns what a client sees of a request's connection without asking it; undefined for a new connection to a trusted server. */
export function connectionState({ reusedSocket, socket }: ClientRequest): ConnectionState | undefined {
  const state: ConnectionState = { ...(reusedSocket ? { reused: true } : {}), ...secureState(socket) }
  return Object.keys(state).length === 0 ? undefined : state
}

function secureState(socket: Socket | TLSSocket | null): ConnectionState {
  if (!(socket instanceof builtins.tls.TLSSocket)) return {}
  const { authorizationError, alpnProtocol } = socket
  // Its type is an error, but Node sets the error's code.
  const code: unknown = authorizationError
  return {
    ...(typeof code === 'string' && { authorized: false as const, authorizationError: code }),
    ...(typeof alpnProtocol === 'string' && { alpnProtocol }),
  }
}

/** Adds a connection's facts to a connection in memory: those of the recording, or else of a plain connection to this machine. */
export function addFacts(stream: Duplex, isSecure: boolean): void {
  for (const { home, name, answer } of facts) {
    if (home === 'net' || isSecure) Object.defineProperty(stream, name, { configurable: true, writable: true, value: answer })
  }
  for (const [property, { from, field }] of Object.entries(ends)) {
    Object.defineProperty(stream, property, { configurable: true, get: () => from()[field] })
  }
  Object.assign(stream, { address: () => ownEnd() })
  if (isSecure) Object.assign(stream, { authorized: true, authorizationError: null, alpnProtocol: false })
}

/** Sets what the recorded client saw of its connection. */
export function setState(request: ClientRequest, { reused, ...secure }: ConnectionState): void {
  request.reusedSocket = reused === true
  Object.assign(request.socket ?? {}, secure)
}

/** A function of a connection, as a read of a run. */
interface ConnectionFact {
  readonly home: 'net' | 'tls'
  readonly name: string
  readonly door: (original: Tell) => Tell
  /** Answers a call on a connection in memory. */
  readonly answer: (...args: unknown[]) => unknown
}

type Tell = (this: unknown, ...args: unknown[]) => unknown

/** How a result that is more than data is kept. */
interface Form {
  keep(given: unknown): unknown
  revive(kept: unknown): unknown
}

const asItIs: Form = { keep: (given) => given, revive: (kept) => kept }

function factOf(home: 'net' | 'tls', name: string, otherwise: () => unknown, { keep, revive }: Form = asItIs): ConnectionFact {
  const read = (args: readonly unknown[], real: () => unknown): unknown => {
    const scope = currentScope()
    if (scope === undefined) return real()
    const called = args.length === 0 ? name : `${name}(${args.map(String).join(', ')})`
    return revive(scope.run.readFact(scope.owner, `${home}.${called}`, () => keep(real())))
  }
  const door = sameEachTime(
    (original: Tell): Tell =>
      function tell(...args) {
        const real = (): unknown => Reflect.apply(original, this, args)
        return followed.has(this as object) ? read(args, real) : real()
      },
  )
  return { home, name, door, answer: (...args) => read(args, otherwise) }
}

/** A chain of certificates, whose last one may name itself as its issuer. */
interface KeptChain {
  readonly chain: readonly Linked[]
  readonly isClosed: boolean
}

type Linked = Partial<PeerCertificate & { issuerCertificate: Linked }>

const chained: Form = {
  keep(given) {
    const links: Linked[] = []
    let next = given as Linked | null | undefined
    for (; next !== null && next !== undefined && !links.includes(next); next = next.issuerCertificate) links.push(next)
    return { chain: links.map((link) => ({ ...link, issuerCertificate: undefined })), isClosed: next === links.at(-1) }
  },
  revive(kept) {
    const { chain, isClosed } = kept as KeptChain
    const links: Linked[] = chain.map(({ ...own }) => own)
    for (const [index, link] of links.entries()) {
      const issuer = links[index + 1] ?? (isClosed ? link : undefined)
      if (issuer === undefined) delete link.issuerCertificate
      else link.issuerCertificate = issuer
    }
    return links[0] ?? null
  },
}

const certificate: Form = {
  keep: (given) => (given as X509Certificate | undefined)?.raw ?? null,
  revive: (kept) => (kept === null ? undefined : new builtins.crypto.X509Certificate(kept as Uint8Array)),
}

const none = (): undefined => undefined
const here = (): AddressInfo => ({ address: '127.0.0.1', family: 'IPv4', port: 0 })

const facts: readonly ConnectionFact[] = [
  factOf('net', '_getpeername', here),
  factOf('net', '_getsockname', here),
  factOf('tls', 'getPeerCertificate', () => ({}), chained),
  factOf('tls', 'getPeerX509Certificate', none, certificate),
  factOf('tls', 'getProtocol', () => 'TLSv1.3'),
  factOf('tls', 'getCipher', () => ({ name: 'TLS_AES_256_GCM_SHA384', standardName: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' })),
  factOf('tls', 'getEphemeralKeyInfo', () => ({})),
  factOf('tls', 'getSharedSigalgs', () => []),
  factOf('tls', 'isSessionReused', () => false),
  factOf('tls', 'getSession', none),
  factOf('tls', 'getTLSTicket', none),
  factOf('tls', 'getFinished', none),
  factOf('tls', 'getPeerFinished', none),
]

function endOf(name: string): () => AddressInfo {
  const { answer = none } = facts.find((fact) => fact.name === name) ?? {}
  return () => answer() as AddressInfo
}

const [ownEnd, otherEnd] = [endOf('_getsockname'), endOf('_getpeername')]

const ends: Readonly<Record<string, { readonly from: () => AddressInfo; readonly field: keyof AddressInfo }>> = {
  remoteAddress: { from: otherEnd, field: 'address' },
  remoteFamily: { from: otherEnd, field: 'family' },
  remotePort: { from: otherEnd, field: 'port' },
  localAddress: { from: ownEnd, field: 'address' },
  localFamily: { from: ownEnd, field: 'family' },
  localPort: { from: ownEnd, field: 'port' },
}
