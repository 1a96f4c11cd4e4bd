import crypto, { randomUUID } from 'node:crypto'
import http from 'node:http'
import timers, { setTimeout as namedSetTimeout } from 'node:timers'
import timersPromises, { setTimeout as namedSleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'

const dispatchers = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')] as const

const homes: Readonly<Record<string, object>> = {
  Math,
  Date,
  'Date.prototype': Date.prototype,
  'Crypto.prototype': Crypto.prototype,
  'Performance.prototype': Performance.prototype,
  AbortSignal,
  'http.Agent.prototype': http.Agent.prototype,
  'node:crypto': crypto,
  'node:timers': timers,
  'node:timers/promises': timersPromises,
  scheduler: timersPromises.scheduler,
}

/** Every property descriptor of what doors are put on. */
function snapshot(): object {
  const globals = [
    'fetch',
    'Date',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'clearTimeout',
    'clearInterval',
    'clearImmediate',
    ...dispatchers,
  ]
  const named = { randomUUID, namedSetTimeout, namedSleep }
  return {
    globals: globals.map((key) => Object.getOwnPropertyDescriptor(globalThis, key)),
    hrtime: Object.getOwnPropertyDescriptor(process, 'hrtime'),
    homes: Object.entries(homes).map(([name, home]) => [name, Object.getOwnPropertyDescriptors(home)]),
    named: { ...named },
  }
}

// Node sets a global dispatcher when fetch is first used.
await fetch('data:,').then((response) => response.text())

/** Compares by identity, not by shape: two functions of equal looks are not the same. */
function expectSame(before: unknown, after: unknown, path = ''): void {
  if (typeof before !== 'object' || before === null || !isSnapshotPart(before)) {
    expect(after, path).toBe(before)
    return
  }
  expect(Reflect.ownKeys(after as object), path).toEqual(Reflect.ownKeys(before))
  for (const key of Reflect.ownKeys(before))
    expectSame(Reflect.get(before, key), Reflect.get(after as object, key), `${path}.${String(key)}`)
}

/** Descriptors, and the lists and objects that hold them; not the values of descriptors. */
function isSnapshotPart(value: object): boolean {
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}

it('leaves nothing patched after the last release', () => {
  const before = snapshot()
  const release = installDoors()
  expect(snapshot()).not.toEqual(before)
  release()
  expectSame(before, snapshot())
})

it('stays open until the last of two users releases, in either order', () => {
  const before = snapshot()
  for (const order of [
    [0, 1],
    [1, 0],
  ]) {
    const releases = [installDoors(), installDoors()]
    const open = snapshot()
    releases[order[0] ?? 0]?.()
    expectSame(open, snapshot())
    releases[order[1] ?? 0]?.()
    expectSame(before, snapshot())
  }
})

it('counts a release once, however often it is called', () => {
  const before = snapshot()
  const [first, second] = [installDoors(), installDoors()]
  const open = snapshot()
  first()
  first()
  expectSame(open, snapshot())
  second()
  expectSame(before, snapshot())
})

it('leaves alone what somebody else has replaced meanwhile', () => {
  const original = globalThis.fetch
  const release = installDoors()
  const theirs = async (): Promise<Response> => new Response('theirs')
  globalThis.fetch = theirs
  release()
  expect(globalThis.fetch).toBe(theirs)
  globalThis.fetch = original
})

it('lets named imports of builtin modules follow', () => {
  const before = { randomUUID, namedSetTimeout, namedSleep }
  const release = installDoors()
  expect({ randomUUID, namedSetTimeout, namedSleep }).toEqual({
    randomUUID: crypto.randomUUID,
    namedSetTimeout: timers.setTimeout,
    namedSleep: timersPromises.setTimeout,
  })
  expect(randomUUID).not.toBe(before.randomUUID)
  release()
  expect(randomUUID).toBe(before.randomUUID)
})
