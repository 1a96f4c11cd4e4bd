import { zstdCompressSync } from 'node:zlib'
import { SIGNATURE, writeFrame } from '../../src/stores/event-log/log-frame.ts'
import { readLog } from '../../src/stores/event-log/read-log.ts'
import type { Random } from '../support/random.ts'

/** A trace to mutate: the lines of a golden, or the bytes of a recording. */
export interface Original {
  readonly name: string
  readonly extension: 'jsonl' | 'runlog'
  readonly bytes: Buffer
}

/** Values that take the place of others. */
const values: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => false,
  () => 0,
  () => 1,
  () => -1,
  () => 1.5,
  () => 99,
  () => 599,
  () => 999,
  () => 1e15,
  () => -1e15,
  () => 1e300,
  () => 2 ** 53,
  () => 2 ** 31,
  () => '',
  () => 'a',
  () => 't1',
  () => 'x\r\ny',
  () => '\u0000',
  () => '日本',
  () => '\ud800',
  () => '__proto__',
  () => 'nope',
  () => 'https://a.test/',
  () => 'exit',
  () => 'message',
  () => 'close',
  () => 'a'.repeat(100_000),
  () => [],
  () => [[]],
  () => [null],
  () => [['a', 'b']],
  () => Array.from({ length: 5000 }, (_, index) => index),
  () => ({}),
  () => ({ a: 1 }),
  () => ({ status: 200 }),
  () => JSON.parse('{"__proto__":{"polluted":1}}') as unknown,
  () => JSON.parse(`${'['.repeat(300)}${']'.repeat(300)}`) as unknown,
  () => JSON.parse(`${'{"a":'.repeat(1500)}1${'}'.repeat(1500)}`) as unknown,
  () => ({ $: 't1' }),
  () => ({ $: 't99' }),
  () => ({ $: { after: 1, add: [] } }),
  () => ({ $: { after: 1, keep: 1e9, add: [1] } }),
  () => ({ $: { undefined: true } }),
  () => ({ $: { date: 'invalid' } }),
  () => ({ $: { number: 'NaN' } }),
  () => ({ $: { bigint: '9'.repeat(400) } }),
  () => ({ $: { bytes: 'AAAA' } }),
  () => ({ $: { bytes: 'AAAA', as: 'Float64Array' } }),
  () => ({ $: { map: [[1, 2]] } }),
  () => ({ $: { cycle: '$' } }),
  () => ({ $: { unkept: 'a function' } }),
  () => ({ $: { error: { name: 'E', message: 'm' } } }),
  () => ({ $: { handle: { class: 'A', methods: ['get'], fields: {} } } }),
  () => ({ $: { handle: 7 } }),
  () => ({ $: { regexp: ['(a+)+$', ''] } }),
  () => ({ like: 't1' }),
  () => ({ like: 't1', fill: { 3: { raw: 'b'.repeat(10_000) } } }),
  () => ({ like: 1 }),
]

/** Fields of rows. */
const fields = ['at', 'text', 'bytes', 'length', 'stream', 'by', 'sync', 'turns', 'sameTick', 'output', 'error', 'json', 'status'] as const

/** Returns a value of the same type, so that more than the types is tried. */
function ofType(type: string, random: Random): unknown {
  for (let draw = 0; draw < 100; draw += 1) {
    const value = pick(values, random)()
    if (typeof value === type) return value
  }
  return null
}

/** Returns a mutant of one of the originals. */
export function mutant(originals: readonly Original[], random: Random): Original {
  const original = pick(originals, random)
  const { extension, bytes } = original
  if (extension === 'jsonl') return { ...original, bytes: Buffer.from(mutateText(bytes.toString(), originals, random)) }
  if (random.next() < 0.5) return { ...original, bytes: mutateBytes(bytes, random) }
  const lines = Buffer.from(mutateText(readLog(bytes, original.name), originals, random))
  const payload = zstdCompressSync(lines)
  return { ...original, bytes: Buffer.concat([SIGNATURE, writeFrame({ kind: 'keyframe', calls: 0, checkpoints: 0, payload })]) }
}

function mutateText(text: string, originals: readonly Original[], random: Random): string {
  const times = random.next() < 0.8 ? 1 : random.whole(2, 4)
  let mutated = text
  for (let time = 0; time < times; time += 1) mutated = mutateOnce(mutated, originals, random)
  return mutated
}

function mutateOnce(text: string, originals: readonly Original[], random: Random): string {
  const lines = text.split('\n')
  const at = random.whole(0, Math.max(0, lines.length - 2))
  const way = random.next()
  if (way < 0.75) return lines.with(at, mutateLine(lines[at] ?? '', random)).join('\n')
  if (way < 0.8) return lines.toSpliced(at, 1).join('\n')
  if (way < 0.85) return lines.toSpliced(at, 0, lines[random.whole(0, lines.length - 1)] ?? '').join('\n')
  if (way < 0.9) {
    const other = random.whole(0, lines.length - 1)
    return lines
      .with(at, lines[other] ?? '')
      .with(other, lines[at] ?? '')
      .join('\n')
  }
  if (way < 0.94) return lines.toSpliced(at, 0, pick(linesOf(pick(originals, random)), random)).join('\n')
  if (way < 0.97) return text.slice(0, random.whole(0, text.length))
  const place = random.whole(0, text.length)
  return text.slice(0, place) + pick(['"', '{', '}', ',', '\n', '\u0000', '1e999', '[[[['], random) + text.slice(place + random.whole(0, 3))
}

function linesOf({ extension, bytes, name }: Original): string[] {
  return (extension === 'jsonl' ? bytes.toString() : readLog(bytes, name)).trimEnd().split('\n')
}

/** Puts another value into one place of a row. */
function mutateLine(line: string, random: Random): string {
  const row = parse(line)
  if (typeof row !== 'object' || row === null) return line.slice(random.whole(0, 3))
  let parent = row as Record<string, unknown>
  for (;;) {
    const keys = Object.keys(parent)
    const key = keys[random.whole(0, keys.length - 1)] ?? 'a'
    const child = parent[key]
    if (typeof child === 'object' && child !== null && Object.keys(child).length > 0 && random.next() < 0.8) {
      parent = child as Record<string, unknown>
      continue
    }
    const way = random.next()
    if (way < 0.1) Reflect.deleteProperty(parent, key)
    else if (way < 0.15 && !Array.isArray(parent)) parent[pick(fields, random)] = pick(values, random)()
    else if (way < 0.3 && typeof child === 'number') parent[key] = child + pick([-1, 1, 0.5, 1e6, -1e6, 1e12], random)
    else parent[key] = way < 0.6 ? ofType(typeof child, random) : pick(values, random)()
    return JSON.stringify(row)
  }
}

function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const mutated = Buffer.from(bytes)
  const at = random.whole(0, bytes.length - 1)
  const way = random.next()
  if (way < 0.3) mutated[at] = (mutated[at] ?? 0) ^ (1 << random.whole(0, 7))
  else if (way < 0.5) mutated.fill(0, at, Math.min(bytes.length, at + random.whole(1, 64)))
  else if (way < 0.7) return mutated.subarray(0, at)
  else if (way < 0.85) return Buffer.concat([mutated.subarray(0, at), mutated.subarray(random.whole(8, bytes.length))])
  else return Buffer.concat([mutated, mutated.subarray(random.whole(0, bytes.length - 1))])
  return mutated
}

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[random.whole(0, items.length - 1)] as Item
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
