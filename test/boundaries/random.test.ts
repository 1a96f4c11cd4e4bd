import crypto, { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { randomNumbersOf, recordRun, rowsOf } from '../support/record-run.ts'

afterAll(installDoors())

it('keeps what Math.random gave, to the last bit', async () => {
  const { trace, output } = await recordRun(() => Array.from({ length: 100 }, () => Math.random()))
  expect(randomNumbersOf(trace)).toEqual(output)
})

it('keeps what randomUUID gave, of both cryptos and as a named import', async () => {
  const { trace, output } = await recordRun(() => [
    crypto.randomUUID(),
    globalThis.crypto.randomUUID(),
    randomUUID({ disableEntropyCache: true }),
  ])
  expect(rowsOf(trace, 'reads')[0]?.uuid).toEqual(output)
  expect(new Set(output).size).toBe(3)
})

it('keeps the bytes that were drawn, however they were', async () => {
  const { trace, output } = await recordRun(async () => {
    const words = new Uint16Array(4)
    crypto.randomFillSync(words, 1, 2)
    const buffer = new ArrayBuffer(3)
    Reflect.apply(crypto.randomFillSync, crypto, [buffer])
    return {
      sync: crypto.randomBytes(5),
      callback: await promisify(crypto.randomBytes)(6),
      values: globalThis.crypto.getRandomValues(new Uint8Array(7)),
      named: crypto.getRandomValues(new Uint32Array(2)),
      words,
      buffer,
    }
  })
  const drawn = rowsOf(trace, 'reads').flatMap(({ bytes }) => bytes ?? [])
  const bytes = (view: ArrayBufferView): Uint8Array => new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
  const { sync, callback, values, named, words, buffer } = output
  expect(drawn.map((draw) => Buffer.from(draw).toString('hex'))).toEqual(
    [bytes(words).subarray(2, 6), new Uint8Array(buffer), bytes(sync), bytes(callback), values, bytes(named)].map((view) =>
      Buffer.from(view).toString('hex'),
    ),
  )
  expect([words[0], words[3], Buffer.isBuffer(sync), Buffer.isBuffer(callback)]).toEqual([0, 0, true, true])
})

it('keeps a draw as it was, whatever the agent makes of the bytes', async () => {
  const { trace } = await recordRun(() => {
    const bytes = crypto.randomBytes(16)
    const view = globalThis.crypto.getRandomValues(new Uint8Array(16))
    bytes.fill(0)
    view.fill(0)
  })
  for (const draw of rowsOf(trace, 'reads')[0]?.bytes ?? []) expect(draw).not.toEqual(new Uint8Array(16))
})

it('draws whole numbers from the range that was asked for', async () => {
  const { output, trace } = await recordRun(async () => {
    const draws = Array.from({ length: 200 }, () => [crypto.randomInt(3), crypto.randomInt(-2, 2), crypto.randomInt(2 ** 47, 2 ** 48 - 1)])
    const later = await new Promise<number>((resolve, reject) => {
      crypto.randomInt(5, 6, (error, value) => (error === null ? resolve(value) : reject(error)))
    })
    return { draws, later }
  })
  const distinct = (index: number): number[] =>
    [...new Set(output.draws.map((draw) => draw[index] ?? Number.NaN))].toSorted((a, b) => a - b)
  expect([distinct(0), distinct(1), output.later]).toEqual([[0, 1, 2], [-2, -1, 0, 1], 5])
  expect(distinct(2).every((value) => Number.isInteger(value) && value >= 2 ** 47 && value < 2 ** 48 - 1)).toBe(true)
  expect(randomNumbersOf(trace)).toHaveLength(601)
})

it('refuses what Node refuses', async () => {
  const { output } = await recordRun(() =>
    [() => crypto.randomBytes(-1), () => crypto.randomInt(5, 2), () => crypto.randomFillSync(new Uint8Array(4), 9)].map((draw) => {
      try {
        return draw()
      } catch (error) {
        return error instanceof RangeError
      }
    }),
  )
  expect(output).toEqual([true, true, true])
})
