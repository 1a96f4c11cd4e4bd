import { isUint8Array } from 'node:util/types'
import { expect, it } from 'vitest'
import type { EntryBody, RawBody } from '../../src/record/raw/raw-entry.ts'
import { ResentTexts, resolveText } from '../../src/record/resent-texts.ts'
import type { RunMessage } from '../../src/record/thread/run-message.ts'
import { MessageReader } from '../../src/record/thread/message-reader.ts'
import { MessageWriter } from '../../src/record/thread/message-writer.ts'
import { PagePool } from '../../src/record/thread/page.ts'
import { createRandom } from '../support/random.ts'

type Told = readonly [run: number, message: RunMessage, body: RawBody]

interface Connection {
  readonly writer: MessageWriter
  readonly pages: SharedArrayBuffer[]
  /** As a run does it. */
  append(...told: Told): void
  read(): readonly Told[]
}

/** Both sides, and the pages between them. */
function connect(): Connection {
  const reader = new MessageReader()
  const pages: SharedArrayBuffer[] = []
  const writer = new MessageWriter((memory) => {
    pages.push(memory)
    reader.add(memory)
  })
  const [recognisers, resolvers] = [new Map<number, ResentTexts>(), new Map<number, ReturnType<typeof createResolver>>()]
  return {
    writer,
    pages,
    append(run, message, body) {
      writer.append(run, message, typeof body === 'string' ? ofRun(recognisers, run, () => new ResentTexts()).recognise(body) : body)
    },
    read: () => readAll(reader, (run) => ofRun(resolvers, run, createResolver)),
  }
}

/** What another thread makes of messages, bodies copied as it has to. */
function readAll(reader: MessageReader, resolverOf: (run: number) => (body: EntryBody) => RawBody): readonly Told[] {
  const told: Told[] = []
  for (const messages of reader.read()) {
    for (const { run, message, body } of messages) told.push([run, message, resolverOf(run)(body)])
  }
  return told
}

function createResolver(): (body: EntryBody) => RawBody {
  const texts: string[] = []
  return (body) => {
    if (body === undefined || typeof body === 'string') return body
    if (isUint8Array(body)) return body.slice()
    const text = resolveText(body, texts[body.base] ?? '')
    texts[body.place] = text
    return text
  }
}

function ofRun<Value>(values: Map<number, Value>, run: number, create: () => Value): Value {
  const value = values.get(run) ?? create()
  values.set(run, value)
  return value
}

const reads: RunMessage = {
  kind: 'reads',
  owner: 3,
  clock: [1_790_000_000_001],
  monotonic: [17, 18],
  random: [0.1 + 0.2, Number.MIN_VALUE, 1 - 2 ** -53],
  uuid: ['5b3f3c52-4a1c-4bd5-9d5e-2f0b8f1b2c11'],
  bytes: [Uint8Array.of(0, 255), new Uint8Array()],
  facts: [{ name: 'os.hostname', value: 'web-1' }],
}
const sent: RunMessage = { kind: 'sent', step: 1, headers: [['content-type', 'text/plain']], attempt: 1 }
const long = 'word '.repeat(20_000)
const wide = `${'a'.repeat(9_000)}${'\u{1F600}€'.repeat(400_000)}`
const close: Told = [1, { kind: 'close' }, undefined]

it.each<[what: string, ...told: Told[]]>([
  ['no body', [1, sent, undefined]],
  ['an empty text, and empty bytes', [1, sent, ''], [1, sent, new Uint8Array()]],
  ['a short text of many bytes a character', [1, sent, '\u{1F600}ä'.repeat(1_000)]],
  ['a long text', [7, sent, long]],
  ['a long text of many bytes a character, for which there is no room', [7, sent, wide]],
  ['the same text again', [7, sent, long], [7, sent, long]],
  ['a text that goes on, in one run and not in another', [7, sent, long], [7, sent, `${long} more`], [8, sent, `${long} more`]],
  ['a text that is cut', [7, sent, long], [7, sent, long.slice(0, 60_001)], [7, sent, long]],
  [
    'two conversations in turns',
    ...[1, 2, 3, 4].flatMap((turn): Told[] => [
      [7, sent, `outer ${'one '.repeat(5_000 * turn)}`],
      [7, sent, `inner ${'two '.repeat(4_000 * turn)}`],
    ]),
  ],
  // The halves of both pairs begin alike.
  ['texts that differ within a pair', [7, sent, `${'a'.repeat(65_535)}\u{1F600}`], [7, sent, `${'a'.repeat(65_535)}\u{1F601}`]],
  ['what follows a run that ended', [1, sent, long], close, [1, sent, `${long} more`]],
  ['bytes for which there is no room', [7, sent, new Uint8Array(1_200_000).fill(7)], [8, sent, 'after']],
  ['draws', [2, reads, undefined]],
  [
    'draws that are all numbers',
    [2, { ...reads, uuid: [], bytes: [], facts: [] }, undefined],
    [2, { kind: 'reads', owner: 4_000_000_000, clock: [], monotonic: [], random: [0.5], uuid: [], bytes: [], facts: [] }, undefined],
    [
      2,
      {
        kind: 'reads',
        owner: 0,
        clock: Array.from({ length: 50_000 }, (_, at) => at),
        monotonic: Array.from({ length: 60_000 }, (_, at) => -at),
        random: Array.from({ length: 70_000 }, (_, at) => at / 70_000),
        uuid: [],
        bytes: [],
        facts: [],
      },
      undefined,
    ],
  ],
  [
    'pieces of an answer',
    [4_000_000_000, { kind: 'piece', step: 70_000, at: 86_400_000.1 }, Uint8Array.of(1, 2, 3)],
    [1, { kind: 'piece', step: 1, at: 0, sameTick: true }, Uint8Array.of(0)],
    [1, { kind: 'piece', step: 1, at: 0.3, sameTurn: true }, new Uint8Array(300_000).fill(9)],
    [1, { kind: 'piece', step: 1, at: 0.4, turns: 2 }, Uint8Array.of(4)],
  ],
  [
    'ends of answers',
    [1, { kind: 'settled', row: { kind: 'return', step: 4, at: 0.1, sameTurn: true } }, undefined],
    [1, { kind: 'settled', row: { kind: 'return', step: 4, at: 0.1, by: 'agent' } }, undefined],
    [1, { kind: 'settled', row: { kind: 'return', step: 4, at: 0.1, sameTurn: true, turns: 0 } }, undefined],
    [1, { kind: 'settled', row: { kind: 'return', step: 4, at: 60.1, sameTurn: true, outlasted: 15 } }, undefined],
    [1, { kind: 'settled', row: { kind: 'return', step: 4, at: 0.1, output: { trailers: [['a', 'b']] }, sameTick: true } }, undefined],
  ],
])('hands over %s', (_what, ...told) => {
  const { writer, append, read } = connect()
  const all = [close, ...told, close]
  for (const [run, message, body] of all) append(run, message, body)
  expect(writer.waiting).toBeGreaterThan(0)
  expect(read()).toEqual(all)
  expect([writer.waiting, read()]).toEqual([0, []])
})

it('writes of a request only what the one before it did not say', () => {
  const { writer, append } = connect()
  append(1, sent, long)
  const first = writer.waiting
  append(1, sent, `${long} more`)
  expect(first).toBeGreaterThan(long.length)
  expect(writer.waiting - first).toBeLessThan(500)
})

it('uses a page again once it is full and read, and not before', () => {
  const { writer, pages, read } = connect()
  const fill = (): void => writer.append(1, sent, new Uint8Array(600_000))
  const wasUsed = (page: number): boolean => pages.indexOf(pages[page] as SharedArrayBuffer) < page
  for (let page = 0; page < 3; page += 1) fill()
  expect([pages.length, new Set(pages).size, read().length]).toEqual([3, 3, 3])
  // What was read is known when more has to be written.
  expect(writer.waiting).toBe(0)
  fill()
  expect([pages.length, wasUsed(3)]).toEqual([4, true])
  // Not large enough.
  writer.append(1, sent, new Uint8Array(3_000_000))
  expect([pages.length, wasUsed(4), pages[4]?.byteLength]).toEqual([5, false, 4_194_304])
  expect(read().length).toBe(2)
})

it('loses and mixes nothing, however writing and reading alternate', () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = createRandom(seed)
  for (let round = 0; round < 6; round += 1) {
    const { append, read } = connect()
    const told: Told[] = []
    const got: Told[] = []
    for (let message = 0; message < 200; message += 1) {
      const run = random.whole(1, 3)
      const size = 2 ** random.whole(0, 18)
      const body = random.next() < 0.5 ? 'x'.repeat(size) + String(message) : new Uint8Array(size).fill(message)
      told.push([run, sent, body])
      append(run, sent, body)
      if (random.next() < 0.3) got.push(...read())
    }
    got.push(...read())
    const place = `seed ${seed}, round ${round}`
    expect(got.length, place).toBe(told.length)
    for (const [index, [run, , body]] of told.entries()) {
      expect(got[index]?.[0], place).toBe(run)
      expect(Buffer.from(got[index]?.[2] ?? '').equals(Buffer.from(body ?? '')), place).toBe(true)
    }
  }
})

it('keeps no more free memory than it may', () => {
  const pool = new PagePool()
  const pages = Array.from({ length: 3 }, () => pool.take(8_000_000))
  for (const page of pages) pool.giveBack(page)
  const again = new Set(Array.from({ length: 3 }, () => pool.take(8_000_000)))
  expect(pages.filter((page) => again.has(page)).length).toBe(2)
})
