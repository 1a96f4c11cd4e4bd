import crypto from 'node:crypto'
import http from 'node:http'
import { setInterval as every, setImmediate as soon, setTimeout as sleep, scheduler } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { installDoors } from '../../src/boundaries/doors.ts'

const { Date: RealDate, setTimeout: realSetTimeout, setImmediate: realSetImmediate } = globalThis
const realShapes = shapes()
const release = installDoors()
afterAll(release)

it('gives the real clock in every form of Date', () => {
  const before = RealDate.now()
  const times = [Date.now(), new Date().getTime(), Date.parse(Date()) + 999]
  const after = RealDate.now() + 999
  for (const time of times) expect(time >= before && time <= after).toBe(true)
})

/** The functions of what doors replace, by name, as `name/length`. */
function shapes(): Record<string, string> {
  const homes = { globalThis, Math, crypto: globalThis.crypto, nodeCrypto: crypto, http, performance, process, Date }
  const names = {
    globalThis: ['fetch', 'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate'],
    Math: ['random'],
    crypto: ['getRandomValues', 'randomUUID'],
    nodeCrypto: ['randomBytes', 'randomUUID', 'randomInt', 'randomFillSync'],
    http: ['request', 'get'],
    performance: ['now'],
    process: ['hrtime'],
    Date: ['now'],
  }
  return Object.fromEntries(
    Object.entries(homes).flatMap(([home, object]) =>
      names[home as keyof typeof names].map((name) => {
        const { name: own, length } = Reflect.get(object, name) as () => unknown
        return [`${home}.${name}`, `${own}/${length}`]
      }),
    ),
  )
}

it('keeps the names and lengths of functions', () => {
  expect(shapes()).toEqual(realShapes)
  expect([fetch.length, Math.random.name]).toEqual([1, 'random'])
})

it('keeps Date what it was', () => {
  expect(new Date()).toBeInstanceOf(RealDate)
  expect(new RealDate()).toBeInstanceOf(Date)
  expect(new Date().constructor).toBe(Date)
  expect([Date.name, Date.length, Date.UTC(2026, 0, 31)]).toEqual(['Date', 7, 1_769_817_600_000])
  expect(new Date(2026, 0, 31).getMonth()).toBe(0)
  expect(new Date('2026-01-31T08:00:00Z').toISOString()).toBe('2026-01-31T08:00:00.000Z')
  class Moment extends Date {}
  expect(new Moment(5)).toBeInstanceOf(Moment)
  expect(new Moment(5).getTime()).toBe(5)
})

it('gives real clocks that do not go back', () => {
  const readings = [performance.now(), performance.now(), Number(process.hrtime.bigint()) / 1e6]
  expect(readings.toSorted((a, b) => a - b).slice(0, 2)).toEqual(readings.slice(0, 2))
  const [seconds, nanoseconds] = process.hrtime(process.hrtime())
  expect([seconds, nanoseconds >= 0 && nanoseconds < 1e9]).toEqual([0, true])
})

it('draws real chance', () => {
  expect(new Set(Array.from({ length: 8 }, () => Math.random())).size).toBe(8)
  expect(crypto.randomUUID()).toMatch(/^[0-9a-f-]{36}$/)
  expect(globalThis.crypto.randomUUID()).not.toBe(globalThis.crypto.randomUUID())
  expect(crypto.randomBytes(4)).toHaveLength(4)
  expect(globalThis.crypto.getRandomValues(new Uint8Array(16))).not.toEqual(new Uint8Array(16))
  expect(crypto.randomFillSync(new Uint8Array(16), 8).subarray(0, 8)).toEqual(new Uint8Array(8))
  expect(crypto.randomInt(3, 4)).toBe(3)
})

it("makes Node's own timers", async () => {
  const timer = setTimeout(() => undefined, 10_000)
  expect(timer.constructor).toBe(realSetTimeout(() => undefined, 0).constructor)
  clearTimeout(timer)
  const immediate = setImmediate(() => undefined)
  expect(immediate.constructor).toBe(realSetImmediate(() => undefined).constructor)
  clearImmediate(immediate)
})

it('clears timers by number and by object, and takes whatever else it is given', async () => {
  const fired: string[] = []
  clearTimeout(Number(setTimeout(() => fired.push('number'), 0)))
  clearTimeout(String(Number(setTimeout(() => fired.push('text'), 0))))
  clearInterval(setInterval(() => fired.push('object'), 0))
  for (const odd of [undefined, null, Number.NaN, {}, Object.create(null), 'x']) {
    Reflect.apply(clearTimeout, undefined, [odd])
    Reflect.apply(clearImmediate, undefined, [odd])
  }
  await sleep(5)
  expect(fired).toEqual([])
})

it('waits on real promised timers, with value and signal', async () => {
  expect([await sleep(1, 'slept'), await soon('soon'), await promisify(setTimeout)(1, 'promised')]).toEqual(['slept', 'soon', 'promised'])
  await scheduler.wait(1)
  const values: string[] = []
  for await (const value of every(1, 'tick')) if (values.push(value) === 3) break
  expect(values).toEqual(['tick', 'tick', 'tick'])
  await expect(sleep(1000, undefined, { signal: AbortSignal.abort('stop') })).rejects.toMatchObject({
    name: 'AbortError',
    code: 'ABORT_ERR',
    cause: 'stop',
  })
})

it('times a signal out, and refuses an invalid delay', async () => {
  const signal = AbortSignal.timeout(1)
  await sleep(10)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError', message: 'The operation was aborted due to timeout' })
  expect(() => AbortSignal.timeout(-1)).toThrow('out of range')
})

it('goes out to the real world through fetch and http', async () => {
  await using server = await listen(async (request, response) => void response.end(`${request.method} ${request.url}`))
  const fetched = await fetch(`${server.url}/a`)
  expect([await fetched.text(), fetched.url, fetched.statusText]).toEqual(['GET /a', `${server.url}/a`, 'OK'])
  const answered = await new Promise<string>((resolve, reject) => {
    http.get(`${server.url}/b`, (response) => response.setEncoding('utf8').on('data', resolve)).on('error', reject)
  })
  expect(answered).toBe('GET /b')
})
