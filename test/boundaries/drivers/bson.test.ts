import * as bson from 'bson'
import { expect, it } from 'vitest'
import { readBson } from '../../../src/boundaries/drivers/mongodb/bson-reader.ts'
import { toExtendedJson } from '../../../src/boundaries/drivers/mongodb/command-values.ts'
import { writeBson } from '../../../src/boundaries/drivers/mongodb/bson-writer.ts'
import { fromRecorded, toRecorded } from '../../../src/trace/values.ts'
import { createRandom, type Random } from '../../support/random.ts'

const roundTrip = (written: Uint8Array): string => {
  const kept = JSON.stringify(toRecorded(readBson(written)))
  return writeBson(fromRecorded(JSON.parse(kept) as never) as object).toString('hex')
}

const leaves: readonly ((random: Random) => unknown)[] = [
  (random) => random.whole(-(2 ** 31), 2 ** 31 - 1),
  (random) => random.next() * 10 ** random.whole(-300, 300),
  (random) => new bson.Double(random.whole(-(2 ** 40), 2 ** 40)),
  () => new bson.Double(-0),
  (random) => [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][random.whole(0, 2)],
  (random) => new bson.Long(random.whole(-(2 ** 31), 2 ** 31), random.whole(-(2 ** 31), 2 ** 31)),
  (random) => new bson.Int32(random.whole(-100, 100)),
  (random) => ['', 'text', 'Grüße 🎉', 'a\0b', '$date', '0'][random.whole(0, 5)],
  (random) => random.next() < 0.5,
  () => null,
  (random) => new Date(random.whole(-(10 ** 14), 10 ** 14) * random.whole(1, 20)),
  (random) => new bson.ObjectId(bytes(random, 12)),
  (random) => new bson.Binary(bytes(random, random.whole(0, 20)), [0, 1, 3, 4, 5, 6, 128][random.whole(0, 6)]),
  (random) => new bson.UUID(bytes(random, 16)),
  (random) => decimal(random),
  (random) => new bson.Timestamp({ t: random.whole(0, 2 ** 32 - 1), i: random.whole(0, 2 ** 32 - 1) }),
  () => new bson.BSONRegExp('^a+/"$', 'ix'),
  () => new bson.Code('function () {}'),
  () => new bson.Code('return x', { x: 1, $date: 2 }),
  () => new bson.BSONSymbol('sym'),
  () => new bson.MinKey(),
  () => new bson.MaxKey(),
]

const names = ['a', 'b', '$gt', '$date', '$oid', '$document', '__proto__', '2', '10', '-1', '', 'Größe', 'toString', '$']

function bytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.whole(0, 255))
}

function decimal(random: Random): bson.Decimal128 {
  const digits = Array.from({ length: random.whole(1, 34) }, () => random.whole(0, 9)).join('')
  const special = ['NaN', 'Infinity', '-Infinity', '0', '-0.00', '0E+6000'][random.whole(0, 11)]
  return bson.Decimal128.fromString(special ?? `${random.next() < 0.5 ? '-' : ''}${digits}E${random.whole(-6176, 6000)}`)
}

function value(random: Random, depth: number): unknown {
  const kind = random.whole(0, 9)
  if (depth > 0 && kind === 0) return document(random, depth - 1)
  if (depth > 0 && kind === 1) return Array.from({ length: random.whole(0, 4) }, () => value(random, depth - 1))
  return leaves[random.whole(0, leaves.length - 1)]?.(random)
}

function document(random: Random, depth = 3): Map<string, unknown> {
  return new Map(
    random
      .shuffle(names)
      .slice(0, random.whole(0, 6))
      .map((name) => [name, value(random, depth)]),
  )
}

it('writes the same BSON again as the package bson wrote, of 2,000 random documents', () => {
  const seed = process.env['SEED'] ?? String(Date.now())
  const random = createRandom(seed)
  for (let index = 0; index < 2000; index += 1) {
    const written = bson.serialize(document(random))
    expect(roundTrip(written), `seed ${seed}, document ${index}`).toBe(Buffer.from(written).toString('hex'))
  }
})

it.each([['12345678901234567890123456789012345E0'], ['1E+6111'], ['1E-6176'], ['9.999999999999999999999999999999999E+6144']])(
  'writes %s as the package bson does, or not as a decimal',
  (text) => {
    const expected = ((): bson.Decimal128 | undefined => {
      try {
        return bson.Decimal128.fromString(text)
      } catch {
        return undefined
      }
    })()
    const read = bson.deserialize(writeBson({ value: { $numberDecimal: text } }))['value'] as unknown
    expect(String(read)).toBe(expected === undefined ? text : String(expected))
  },
)

it('describes 2,000 random documents as the BSON that the package bson writes of them', () => {
  const seed = process.env['SEED'] ?? String(Date.now())
  const random = createRandom(seed)
  for (let index = 0; index < 2000; index += 1) {
    const made = document(random)
    expect(toExtendedJson(made), `seed ${seed}, document ${index}`).toEqual(readBson(bson.serialize(made)))
  }
})

it('reads documents as a person does', () => {
  const id = new bson.ObjectId('00112233445566778899aabb')
  const written = bson.serialize({
    id,
    n: 1,
    long: bson.Long.fromNumber(5),
    at: new Date(0),
    re: /a/i,
    price: bson.Decimal128.fromString('1.50'),
    list: [1.5],
  })
  expect(readBson(written)).toEqual({
    id: { $oid: '00112233445566778899aabb' },
    n: 1,
    long: { $numberLong: '5' },
    at: { $date: '1970-01-01T00:00:00.000Z' },
    re: { $regularExpression: { pattern: 'a', options: 'i' } },
    price: { $numberDecimal: '1.50' },
    list: [1.5],
  })
})

it.each([
  [{ $oid: 'redacted' }, 'redacted'],
  [{ $numberLong: 'redacted' }, 'redacted'],
  [{ $numberDecimal: 'redacted' }, 'redacted'],
  [{ $date: 'redacted' }, 'redacted'],
  [{ $uuid: 'redacted' }, 'redacted'],
])('writes what redaction left of %j as text', (left, text) => {
  expect(bson.deserialize(writeBson({ value: left }))['value']).toBe(text)
})

it.each([
  ['shorter than its length', Buffer.from('0a00000000', 'hex')],
  ['a name without an end', Buffer.from('0800000010616200', 'hex').subarray(0, 7)],
  ['an unknown type', Buffer.from('080000004461000000', 'hex')],
])('throws at %s', (_, damaged) => {
  expect(() => readBson(damaged)).toThrow(RangeError)
})
