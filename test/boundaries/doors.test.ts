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

/** Compares by identity, not by shape: two functions of equal looks are not the same. Gives the paths of what differs. */
function findChanges(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before !== 'object' || before === null || !isSnapshotPart(before)) return Object.is(before, after) ? [] : [path]
  if (typeof after !== 'object' || after === null) return [path]
  const keys = new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)])
  return [...keys].flatMap((key) => findChanges(Reflect.get(before, key), Reflect.get(after, key), `${path}.${String(key)}`))
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
  expect(findChanges(before, snapshot())).toEqual([])
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
    expect(findChanges(open, snapshot())).toEqual([])
    releases[order[1] ?? 0]?.()
    expect(findChanges(before, snapshot())).toEqual([])
  }
})

it('counts a release once, however often it is called', () => {
  const before = snapshot()
  const [first, second] = [installDoors(), installDoors()]
  const open = snapshot()
  first()
  first()
  expect(findChanges(open, snapshot())).toEqual([])
  second()
  expect(findChanges(before, snapshot())).toEqual([])
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

it('keeps a global and the export of its name one, and the same when doors open again', () => {
  const read = (): unknown[] => [globalThis.setTimeout, globalThis.clearImmediate, timers.setTimeout, timers.clearImmediate]
  const release = installDoors()
  const open = read()
  release()
  const again = installDoors()
  expect(findChanges(open.slice(2), open.slice(0, 2))).toEqual([])
  expect(findChanges(open, read())).toEqual([])
  again()
})
