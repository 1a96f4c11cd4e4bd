import { expect, it } from 'vitest'
import { type Batch, BatchWriter, readBatch, type RunMessage } from '../../src/record/thread/batch.ts'
import type { RawBody } from '../../src/record/raw/raw-entry.ts'
import { SharedMemory } from '../../src/record/thread/shared-memory.ts'

type Told = readonly [run: number, message: RunMessage, body: RawBody]

/** What another thread makes of messages, bodies copied as it has to. */
function hand(writer: BatchWriter, told: readonly Told[]): { readonly batch: Batch; readonly read: readonly Told[] } {
  for (const [run, message, body] of told) writer.append(run, message, body)
  const batch = writer.take()
  if (batch === undefined) throw new Error('nothing was gathered')
  const read = [...readBatch(batch)].map(({ run, message, body }): Told => [run, message, typeof body === 'string' ? body : body?.slice()])
  return { batch, read }
}

const reads: RunMessage = {
  kind: 'reads',
  owner: 3,
  clock: [1_790_000_000_001],
  monotonic: [17, 18],
  random: [0.1 + 0.2, Number.MIN_VALUE, 1 - 2 ** -53],
  uuid: ['5b3f3c52-4a1c-4bd5-9d5e-2f0b8f1b2c11'],
  bytes: [Uint8Array.of(0, 255), new Uint8Array()],
}
const sent: RunMessage = { kind: 'sent', step: 1, headers: [['content-type', 'text/plain']], attempt: 1 }

it.each<[what: string, ...told: Told[]]>([
  ['no body', [1, sent, undefined]],
  ['an empty text, and empty bytes', [1, sent, ''], [1, sent, new Uint8Array()]],
  ['a short text of many bytes a character', [1, sent, '\u{1F600}ä'.repeat(1_000)]],
  ['a long text', [7, sent, 'word '.repeat(20_000)]],
  ['a long text of many bytes a character, for which there is no room', [7, sent, `${'a'.repeat(9_000)}${'\u{1F600}€'.repeat(400_000)}`]],
  ['bytes for which there is no room', [7, sent, new Uint8Array(3_000_000).fill(7)], [8, sent, 'after']],
  ['draws', [2, reads, undefined]],
  [
    'pieces of an answer',
    [4_000_000_000, { kind: 'piece', step: 70_000, at: 86_400_000.1 }, Uint8Array.of(1, 2, 3)],
    [1, { kind: 'piece', step: 1, at: 0, sameTick: true }, Uint8Array.of(0)],
    [1, { kind: 'piece', step: 1, at: 0.3, sameTurn: true }, new Uint8Array(300_000).fill(9)],
  ],
])('hands over %s', (_what, ...told) => {
  const writer = new BatchWriter(new SharedMemory())
  const first: Told = [1, { kind: 'close' }, undefined]
  expect(hand(writer, [first, ...told, first]).read).toEqual([first, ...told, first])
  expect([writer.length, writer.take()]).toEqual([0, undefined])
})

it('uses memory again once it is given back, and not before', () => {
  const pool = new SharedMemory()
  const writer = new BatchWriter(pool)
  const one = hand(writer, [[1, sent, 'one']]).batch.memory
  const other = hand(writer, [[1, sent, 'other']]).batch.memory
  expect(other).not.toBe(one)
  pool.giveBack(one)
  expect(hand(writer, [[1, sent, 'third']]).batch.memory).toBe(one)
  // Not large enough.
  pool.giveBack(other)
  const large = hand(writer, [[1, sent, new Uint8Array(3_000_000)]]).batch.memory
  expect(large.byteLength).toBeGreaterThan(3_000_000)
  pool.giveBack(large)
  expect(hand(writer, [[1, sent, 'the smallest that is']]).batch.memory).toBe(other)
})

it('keeps no more free memory than it may', () => {
  const pool = new SharedMemory()
  const pieces = Array.from({ length: 3 }, () => pool.take(8_000_000))
  for (const piece of pieces) pool.giveBack(piece)
  const again = new Set(Array.from({ length: 3 }, () => pool.take(8_000_000)))
  expect(pieces.filter((piece) => again.has(piece)).length).toBe(2)
})
