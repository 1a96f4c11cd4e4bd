import childProcess, { spawnSync } from 'node:child_process'
import dgram from 'node:dgram'
import dns, { lookup } from 'node:dns'
import { EventEmitter } from 'node:events'
import http2, { connect } from 'node:http2'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import net from 'node:net'
import workerThreads, { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { contactDoor } from '../../../src/boundaries/contact/contact-door.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'

const session = http2.connect('http://localhost', { createConnection: () => new net.Socket() })
const homes: Readonly<Record<string, object>> = {
  EventEmitter,
  'net.Socket': net.Socket.prototype,
  http2,
  session: Object.getPrototypeOf(session) as object,
  'dgram.Socket': dgram.Socket.prototype,
  dns,
  'dns.Resolver': dns.Resolver.prototype,
  'dns.promises': dns.promises,
  'dns.promises.Resolver': dns.promises.Resolver.prototype,
  child_process: childProcess,
  ChildProcess: childProcess.ChildProcess.prototype,
  worker_threads: workerThreads,
  inspector,
  'inspector/promises': inspectorPromises,
}
session.destroy()

/** Every property of what the doors are put on. */
function snapshot(): Map<string, PropertyDescriptor> {
  return new Map(
    Object.entries(homes).flatMap(([name, home]) =>
      Reflect.ownKeys(home).map((key) => [`${name}.${String(key)}`, Object.getOwnPropertyDescriptor(home, key) ?? {}] as const),
    ),
  )
}

/** The properties whose descriptors are others, by identity of what they hold. */
function changed(before: ReturnType<typeof snapshot>, after: ReturnType<typeof snapshot>): string[] {
  const isSame = (one: PropertyDescriptor | undefined, other: PropertyDescriptor | undefined): boolean =>
    (['value', 'get', 'set', 'writable', 'enumerable', 'configurable'] as const).every((part) => one?.[part] === other?.[part])
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => !isSame(before.get(key), after.get(key)))
}

it('leaves nothing patched', () => {
  const before = snapshot()
  const restore = contactDoor()
  const patched = changed(before, snapshot())
  expect(patched.length).toBeGreaterThan(70)
  expect(patched).toEqual(
    expect.arrayContaining([
      'net.Socket.connect',
      'net.Socket._writeGeneric',
      'session.request',
      'worker_threads.Worker',
      'inspector.open',
    ]),
  )
  restore()
  expect(changed(before, snapshot())).toEqual([])
})

// What Node calls for each socket and each emitter is replaced by a plain function, which costs less than a proxy.
const plain = new Set(['EventEmitter.init', 'net.Socket.connect', 'net.Socket._writeGeneric', 'session.request'])

it('lets functions keep their names, their length and their own properties', () => {
  const before = snapshot()
  const restore = contactDoor()
  const after = snapshot()
  restore()
  for (const [key, { value }] of after) {
    const real: unknown = before.get(key)?.value
    if (typeof value !== 'function' || typeof real !== 'function' || plain.has(key)) continue
    expect([value.name, value.length, Reflect.ownKeys(value)], key).toEqual([real.name, real.length, Reflect.ownKeys(real)])
  }
})

it('is followed by named imports', () => {
  const before = [spawnSync, lookup, connect, Worker]
  const release = installDoors()
  expect([spawnSync, lookup, connect, Worker]).toEqual([childProcess.spawnSync, dns.lookup, http2.connect, workerThreads.Worker])
  for (const [index, value] of [spawnSync, lookup, connect, Worker].entries()) expect(value).not.toBe(before[index])
  release()
  for (const [index, value] of [spawnSync, lookup, connect, Worker].entries()) expect(value).toBe(before[index])
})
