import { createZstdCompress, constants } from 'node:zlib'
import { SIGNATURE, writeFrame } from '../../src/stores/event-log/log-frame.ts'
import { header } from '../stores/written-logs.ts'

const megabyte = 1_000_000

/** A log of one frame that takes so many megabytes, most of them in one note. */
export async function frameBomb(megabytes: number, windowLog = 18): Promise<Uint8Array> {
  const payload = await compressed(windowLog, function* () {
    yield Buffer.from(`${JSON.stringify(header)}\n{"kind":"note","what":"`)
    for (let at = 0; at < megabytes; at += 1) yield Buffer.alloc(megabyte, 'a')
    yield Buffer.from('"}\n')
  })
  return Buffer.concat([SIGNATURE, writeFrame({ kind: 'keyframe', calls: 0, checkpoints: 0, payload })])
}

/** A log of so many frames of 40 megabytes each. */
export async function logBomb(frames: number): Promise<Uint8Array> {
  const first = await compressed(18, function* () {
    yield Buffer.from(`${JSON.stringify(header)}\n`)
  })
  const payload = await compressed(18, function* () {
    for (let at = 0; at < 40; at += 1) {
      yield Buffer.concat([Buffer.from('{"kind":"note","what":"a","where":"'), Buffer.alloc(megabyte, 'a'), Buffer.from('","at":1}\n')])
    }
  })
  const of = (bytes: Uint8Array): Uint8Array => writeFrame({ kind: 'keyframe', calls: 0, checkpoints: 0, payload: bytes })
  return Buffer.concat([SIGNATURE, of(first), ...Array.from({ length: frames }, () => of(payload))])
}

const call = (step: number, input: string): string =>
  `{"kind":"call","step":${step},"owner":0,"boundary":"tool","name":"a","input":${input},"at":1}`

function lines(rest: readonly string[]): string {
  return `${[JSON.stringify(header), ...rest].join('\n')}\n`
}

/** So many chunks, each of which is like one event of a megabyte. */
export function chunkBomb(chunks: number): string {
  const text = JSON.stringify(`data: ${JSON.stringify('a'.repeat(megabyte))}\n\n`)
  const chunk = '{"kind":"chunk","step":1,"at":1,"text":{"like":"t1"}}'
  return lines([`{"kind":"text","ref":"t1","value":${text}}`, call(1, '{}'), ...Array.from({ length: chunks }, () => chunk)])
}

/** One chunk of so many pieces, each of which is like one event of a megabyte. */
export function pieceBomb(pieces: number): string {
  const text = JSON.stringify(`data: ${JSON.stringify('a'.repeat(megabyte))}\n\n`)
  const chunk = `{"kind":"chunk","step":1,"at":1,"text":[${Array.from({ length: pieces }, () => '{"like":"t1"}').join(',')}]}`
  return lines([`{"kind":"text","ref":"t1","value":${text}}`, call(1, '{}'), chunk])
}

/** So many calls that each get a copy of a value of a megabyte. */
export function valueBomb(calls: number): string {
  const value = `{"at":{"$":{"date":"2026-01-01T00:00:00.000Z"}},"list":[${'1,'.repeat(500_000)}1]}`
  return lines([
    `{"kind":"text","ref":"t1","value":${value}}`,
    ...Array.from({ length: calls }, (_, index) => call(index + 1, '{"$":"t1"}')),
  ])
}

/** So many calls that each continue a list of half a million items. */
export function listBomb(calls: number): string {
  const first = call(1, `{"list":[${'1,'.repeat(500_000)}1]}`)
  const next = '{"list":{"$":{"after":1,"add":[]}}}'
  return lines([first, ...Array.from({ length: calls }, (_, index) => call(index + 2, next))])
}

/** So many calls, each of which sends everything that was said before, and two messages more. */
export function resentHistory(calls: number): string {
  const added = (step: number): string => `[{"role":"user","content":"${step}"},{"role":"assistant","content":"${step}"}]`
  const steps = Array.from({ length: calls - 1 }, (_, index) =>
    call(index + 2, `{"messages":{"$":{"after":${index + 1},"add":${added(index + 2)}}}}`),
  )
  return lines([call(1, `{"messages":${added(1)}}`), ...steps, '{"kind":"end","at":1,"usage":{"inputTokens":0,"outputTokens":0}}'])
}

async function compressed(windowLog: number, parts: () => Iterable<Uint8Array>): Promise<Uint8Array> {
  const params = { [constants.ZSTD_c_windowLog]: windowLog, [constants.ZSTD_c_compressionLevel]: 1 }
  const stream = createZstdCompress({ params })
  const pieces: Uint8Array[] = []
  stream.on('data', (piece: Uint8Array) => pieces.push(piece))
  for (const part of parts()) await new Promise((resolve) => stream.write(part, resolve))
  await new Promise<void>((resolve) => stream.flush(constants.ZSTD_e_flush, resolve))
  stream.destroy()
  return Buffer.concat(pieces)
}
