import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** What a process did to reach the network since the watch began. */
export interface Contacts extends Disposable {
  /** `connect`, `request` and the like, in order. */
  readonly made: readonly string[]
}

const WATCHED: readonly (readonly [target: object, method: string])[] = [
  [net.Socket.prototype, 'connect'],
  [http, 'request'],
  [http, 'get'],
  [https, 'request'],
  [https, 'get'],
  [dns, 'lookup'],
  [dns, 'resolve'],
  [dns.promises, 'lookup'],
  [dns.promises, 'resolve'],
  [dgram.Socket.prototype, 'bind'],
  [dgram.Socket.prototype, 'connect'],
  [dgram.Socket.prototype, 'send'],
]

/** Counts attempts to reach the network, whoever makes them and whatever it was imported as; they go through all the same. */
export function watchContacts(): Contacts {
  const made: string[] = []
  const restores = WATCHED.map(([target, method]) => watch(target, method, made))
  syncBuiltinESMExports()
  return {
    made,
    [Symbol.dispose]() {
      for (const restore of restores) restore()
      syncBuiltinESMExports()
    },
  }
}

function watch(target: object, method: string, made: string[]): () => void {
  const original: unknown = Reflect.get(target, method)
  if (typeof original !== 'function') throw new Error(`Node has no ${method} here any more.`)
  Reflect.set(target, method, function watched(this: unknown, ...args: unknown[]): unknown {
    made.push(method)
    return Reflect.apply(original, this, args)
  })
  return () => void Reflect.set(target, method, original)
}
