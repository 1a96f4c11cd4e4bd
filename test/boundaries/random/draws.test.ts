import crypto, * as namedCrypto from 'node:crypto'
import { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, webcrypto } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { recordRun, rowsOf } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const { random: earlyRandom } = Math
const early = crypto.randomUUID

/** Everything that draws. None gives the same twice but by a chance of one in 2 ** 32. */
const draws: Readonly<Record<string, () => unknown>> = {
  'Math.random()': () => Math.random(),
  'Math.random() that was taken hold of early': () => earlyRandom(),
  'crypto.randomUUID()': () => globalThis.crypto.randomUUID(),
  'randomUUID of node:crypto': () => [randomUUID(), early({ disableEntropyCache: true }), namedCrypto.randomUUID(), webcrypto.randomUUID()],
  'crypto.getRandomValues()': () => hex(globalThis.crypto.getRandomValues(new Uint16Array(4))),
  'getRandomValues of node:crypto': () => [hex(getRandomValues(new Uint8Array(8))), hex(webcrypto.getRandomValues(new BigInt64Array(1)))],
  'randomBytes()': () => randomBytes(8).toString('hex'),
  'randomBytes() of a fraction': () => randomBytes(8.9).toString('hex'),
  'randomBytes() with a callback': async () => (await promisify(randomBytes)(8)).toString('hex'),
  'the other names of randomBytes()': () => [
    crypto.pseudoRandomBytes(8).toString('hex'),
    ...['prng', 'rng'].map((name) => Reflect.get(crypto, name)(8).toString('hex')),
  ],
  'randomFillSync()': () => hex(randomFillSync(new Uint8Array(8))),
  'randomFillSync() of a part': () => hex(randomFillSync(new Uint16Array(8), 1, 4)),
  'randomFillSync() of memory': () => hex(new Uint8Array(Reflect.apply(randomFillSync, crypto, [new ArrayBuffer(8)]))),
  'randomFillSync() of a view': () => hex(randomFillSync(new DataView(new ArrayBuffer(12), 4))),
  'randomFill()': async () => hex(await fillLater(new Uint8Array(8))),
  'randomFill() of a part': async () => [hex(await fillLater(new Uint8Array(12), 4)), hex(await fillLater(new Uint32Array(4), 1, 2))],
  'randomInt()': () => randomInt(2 ** 47),
  'randomInt() within a range': () => randomInt(-(2 ** 40), 2 ** 40),
  'randomInt() with a callback': async () => [
    await new Promise((resolve) => randomInt(2 ** 47, (_error, value) => resolve(value))),
    await new Promise((resolve) => randomInt(5, 2 ** 47, (_error, value) => resolve(value))),
  ],
  ...('randomUUIDv7' in crypto && { 'randomUUIDv7()': () => crypto.randomUUIDv7() }),
}

it.each(Object.entries(draws))('gives what was drawn: %s', async (_name, draw) => {
  const agent = async (): Promise<unknown[]> => [await draw(), await draw()]
  const { trace, output } = await recordRun(agent)
  expect(output[0]).not.toEqual(output[1])
  expect(rowsOf(trace, 'reads').length).toBeGreaterThan(0)
  await expectClean(trace, agent)
})

it('keeps the order of draws, whichever way their bytes are handed out', async () => {
  const agent = async (): Promise<string[]> => {
    const order: string[] = []
    const callback = promisify(randomBytes)(4).then((bytes) => order.push(`callback ${hex(bytes)}`))
    const filled = fillLater(new Uint8Array(4)).then((bytes) => order.push(`fill ${hex(bytes)}`))
    order.push(`at once ${hex(randomBytes(4))}`)
    await Promise.all([filled, callback])
    return order
  }
  const { trace, output } = await recordRun(agent)
  expect(output.map((entry) => entry.replace(/ [0-9a-f]+$/, ''))).toEqual(['at once', 'callback', 'fill'])
  const drawn = rowsOf(trace, 'reads').flatMap(({ bytes }) => bytes ?? [])
  expect(drawn.map(hex)).toEqual([output[1], output[2], output[0]].map((entry) => entry?.split(' ').at(-1)))
  await expectClean(trace, agent)
})

it('leaves what lies beside the filled part as it was', async () => {
  const agent = async (): Promise<number[]> => {
    const words = new Uint16Array([1, 1, 1, 1])
    randomFillSync(words, 1, 1)
    const bytes = new Uint8Array([2, 2, 2, 2])
    await fillLater(bytes.subarray(1), 1, 1)
    return [words[0], words[2], words[3], bytes[0], bytes[1], bytes[3]].map(Number)
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual([1, 1, 1, 2, 2, 2])
  await expectClean(trace, agent)
})

it('refuses what Node refuses, on replay too', async () => {
  const refused: readonly (readonly [draw: unknown, ...args: unknown[]])[] = [
    [randomBytes, -1],
    [randomBytes, '8'],
    [randomBytes, 2 ** 31],
    [randomBytes, 8, 'callback'],
    [randomInt, 5, 2],
    [randomInt, 0.5],
    [randomInt, 0, 2 ** 48 + 1],
    [randomInt, 1, 5, 4],
    [randomFillSync, new Uint8Array(4), 5],
    [randomFillSync, new Uint8Array(4), 2, 3],
    [randomFillSync, [1, 2]],
    [randomFill, new Uint8Array(4)],
    [randomFill, new Uint8Array(4), 9, () => undefined],
    [randomUUID, 'options'],
    [getRandomValues, new Float64Array(2)],
    [getRandomValues, new Uint8Array(65_537)],
    [Crypto.prototype.getRandomValues, new Uint8Array(1)],
    [Crypto.prototype.randomUUID],
  ]
  const agent = (): unknown[] => refused.map(([draw, ...args]) => refusalOf(draw as () => unknown, args))
  const outside = agent()
  expect(outside).toEqual([
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OUT_OF_RANGE',
    'ERR_INVALID_ARG_TYPE',
    'TypeMismatchError',
    'QuotaExceededError',
    'ERR_INVALID_THIS',
    'ERR_INVALID_THIS',
  ])
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(outside)
  expect(rowsOf(trace, 'reads')).toEqual([])
  await expectClean(trace, agent)
})

function refusalOf(draw: (...args: unknown[]) => unknown, args: readonly unknown[]): unknown {
  try {
    return Reflect.apply(draw, undefined, args)
  } catch (error) {
    return error instanceof DOMException ? error.name : Reflect.get(Object(error), 'code')
  }
}

function fillLater<View extends NodeJS.ArrayBufferView>(view: View, ...range: readonly number[]): Promise<View> {
  return new Promise((resolve) => Reflect.apply(randomFill, crypto, [view, ...range, (_error: unknown, filled: View) => resolve(filled)]))
}

function hex(view: ArrayBufferView): string {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('hex')
}
