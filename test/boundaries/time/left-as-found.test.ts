import crypto from 'node:crypto'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { provideTemporal } from '../clock/provide-temporal.ts'

const temporal = provideTemporal()

/** Everything that the doors of clock, chance and timers are put on. */
const homes: Readonly<Record<string, object>> = {
  globalThis,
  process,
  Math,
  Date,
  'Date.prototype': Date.prototype,
  'Temporal.Now': temporal.Now,
  'Intl.DateTimeFormat.prototype': Intl.DateTimeFormat.prototype,
  'Performance.prototype': Performance.prototype,
  'Crypto.prototype': Crypto.prototype,
  AbortSignal,
  'node:crypto': crypto,
  'node:timers': timers,
  'node:timers/promises': timersPromises,
  'node:timers/promises.scheduler': timersPromises.scheduler,
}

/** By `home.property.attribute`. */
function takeStock(): Map<string, unknown> {
  const found = Object.entries(homes).flatMap(([name, home]) =>
    Reflect.ownKeys(home).flatMap((key) =>
      Object.entries(Object.getOwnPropertyDescriptor(home, key) ?? {}).map(
        ([attribute, value]) => [`${name}.${String(key)}.${attribute}`, value] as const,
      ),
    ),
  )
  return new Map<string, unknown>([...found, ['promisified', promisify(setTimeout)], ['promisified immediate', promisify(setImmediate)]])
}

it('leaves every property as it found it, once the last user is gone', () => {
  const before = takeStock()
  const releases = [installDoors(), installDoors()]
  const open = takeStock()
  releases[0]?.()
  expect(differing(open, takeStock())).toEqual([])
  releases[1]?.()
  expect(differing(before, takeStock())).toEqual([])
  const replaced = new Set(differing(before, open).map((name) => name.replace(/\.(value|get|set|writable|enumerable|configurable)$/, '')))
  expect([...replaced]).toEqual(
    expect.arrayContaining(['Math.random', 'process.uptime', 'Temporal.Now.instant', 'Performance.prototype.timeOrigin', 'promisified']),
  )
})

it('shows the properties as enumerable as they were', () => {
  const enumerable = (): string[] => Object.values(homes).flatMap((home) => Object.keys(home))
  const before = enumerable()
  const release = installDoors()
  expect(enumerable()).toEqual(before)
  release()
})

function differing(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => !Object.is(before.get(name), after.get(name)))
}
