import http, { type IncomingMessage } from 'node:http'
import zlib from 'node:zlib'
import { request as undiciRequest } from 'undici'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { httpRequest } from '../support/http-request.ts'
import { recordBeside } from '../support/record-beside.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import {
  addressOf,
  clientNames,
  clients,
  codings,
  damages,
  decoders,
  hear,
  received,
  secret,
  setUpEncodedAnswers,
  testDamages,
  testThreadPool,
  text,
} from '../support/encoded-answers.ts'

setUpEncodedAnswers()

const trials = clientNames.flatMap((client) => codings.map((coding) => [client, coding] as const))

it.each(trials)('keeps a secret off the disk that %s read in %s, and answers in it again', async (client, coding) => {
  const agent = async (): Promise<unknown> => {
    const answer = await clients[client](addressOf('whole', coding))
    return [answer.coding, decoders[coding](answer.body).toString()]
  }
  const { trace, text: file, output } = await recordBeside(agent)
  expect(output).toEqual([coding, text])
  expect(file).not.toContain(secret)
  expect(JSON.stringify(trace.end?.output)).not.toContain(secret)
  const kept = trace.steps[0]?.output as { readonly json: { readonly text: string; readonly key: string } }
  expect(kept.json).toEqual({ text: 'Hello, wörld. '.repeat(50), key: expect.not.stringContaining(secret) as string })
  // The replay's output is the recorded one, in which the key is the same stand-in.
  await expectClean(trace, agent)
})

it('keeps the pieces of a stream in gzip as they came, and a secret that stands across two of them off the disk', async () => {
  // Of the pieces only the lengths: parts of a secret would be in what the agent returns.
  const agent = async (): Promise<number[]> => {
    const gunzip = zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH })
    const pieces: number[] = []
    const response = await new Promise<IncomingMessage>((resolve) => http.get(addressOf('events', 'gzip'), resolve))
    for await (const piece of response.pipe(gunzip)) {
      pieces.push(String(piece).length)
      hear()
    }
    return pieces
  }
  const { trace, text: file, output } = await recordBeside(agent)
  expect(output).toEqual([26, 22, 12])
  expect(file).not.toContain(secret.slice(8, 20))
  // The last one is what ends the encoding.
  expect(rowsOf(trace, 'chunk').map((chunk) => chunk.text?.length)).toEqual([26, 22, 12, 0])
  await expectClean(trace, agent)
})

// The other codings: encoded-answers.slow.test.ts.
testThreadPool(codings.slice(0, 2))

it.each(codings)('keeps what came in %s of an answer whose reader is through before it is decoded', async (coding) => {
  const agent = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.get(addressOf('whole', coding), (response) => response.once('data', () => resolve(response.statusCode ?? 0)))
      request.on('error', reject)
    })
  const { trace, text: file } = await recordRun(agent)
  expect(
    rowsOf(trace, 'chunk')
      .map((chunk) => chunk.text ?? '')
      .join(''),
  ).toHaveLength(text.length)
  expect(file).not.toContain(secret)
  await expectClean(trace, agent)
})

testDamages(damages.slice(0, 8))

it('says of a chunk that is in no such coding that it is as it came, and how a decoder refuses it', async () => {
  const { trace } = await recordRun(() => httpRequest(addressOf('plain', 'gzip')).then(({ body }) => body.length))
  expect(rowsOf(trace, 'chunk')).toMatchObject([
    { bytes: new Uint8Array(Buffer.from('This is no such thing.')), encoded: 'Z_DATA_ERROR: incorrect header check' },
  ])
})

it('fails a fetch where the recording has a body in no such coding', async () => {
  const { trace } = await recordRun(async () => (await httpRequest(addressOf('plain', 'gzip'))).body.toString())
  const byFetch = async (): Promise<string> => (await fetch(addressOf('plain', 'gzip'))).text().catch((error: Error) => error.message)
  const { outcome } = await replay(trace, byFetch)
  expect(outcome).toEqual({ status: 'returned', output: 'terminated' })
})

it('gives a fetch all of a body that ends before its encoding does, as fetch takes it', async () => {
  const { trace } = await recordRun(async () => (await httpRequest(addressOf('cut', 'gzip'))).body.length)
  const byFetch = async (): Promise<string> => (await fetch(addressOf('cut', 'gzip'))).text()
  const { outcome } = await replay(trace, byFetch)
  expect(outcome).toEqual({ status: 'returned', output: expect.stringContaining('Hello, wörld.') as string })
  expect(await byFetch()).toContain('Hello, wörld.')
})

it('keeps a secret off the disk that is sent in gzip, and compares what was meant', async () => {
  const upload = (level: number) => async (): Promise<string> => {
    const body = zlib.gzipSync(text, { level })
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    const { body: answer } = await httpRequest(addressOf('upload', 'gzip'), { method: 'POST', headers, body: [body] })
    const { body: other } = await undiciRequest(addressOf('upload', 'gzip'), { method: 'POST', headers, body })
    return answer.toString() + (await other.text())
  }
  const { trace, text: file } = await recordBeside(upload(9))
  expect(received).toEqual([text, text, text, text])
  expect(file).not.toContain(secret)
  expect(trace.steps.map(({ input }) => (input as { json?: { text: string } }).json?.text)).toEqual(
    Array(2).fill('Hello, wörld. '.repeat(50)),
  )
  await expectClean(trace, upload(1))
})
