import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  InvokeModelWithResponseStreamCommand,
  type ConverseStreamCommandInput,
} from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { writeFrame } from '../../src/models/event-stream.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const email = 'ann.lee@firm.co.uk'
/** The key is said in one delta, the address in three. */
const deltas = ['Your key is ', `${key}, `, 'and the address ann.', 'lee@fi', 'rm.co.uk. Grüße!']

const provider = await listen(async (incoming, response) => {
  incoming.resume()
  const isConverse = incoming.url?.endsWith('/converse-stream') === true
  response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
  for (const frame of isConverse ? conversed() : invoked()) {
    for (const piece of [frame.subarray(0, 90), frame.subarray(90)]) {
      response.write(piece)
      await wait(1)
    }
  }
  response.end()
})
afterAll(() => provider.close())

const client = new BedrockRuntimeClient({
  endpoint: provider.url,
  region: 'us-east-1',
  credentials: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'secret' },
  requestHandler: new NodeHttpHandler(),
})
const modelId = 'anthropic.claude-sonnet-4-v1:0'
const seen: string[] = []

async function converse(): Promise<string> {
  const request: ConverseStreamCommandInput = { modelId, messages: [{ role: 'user', content: [{ text: 'Who?' }] }] }
  let text = ''
  for await (const { contentBlockDelta } of (await client.send(new ConverseStreamCommand(request))).stream ?? [])
    text += contentBlockDelta?.delta?.text ?? ''
  seen.push(text)
  return text
}

async function invoke(): Promise<string> {
  const body = JSON.stringify({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'Who?' }],
  })
  const { body: events } = await client.send(new InvokeModelWithResponseStreamCommand({ modelId, contentType: 'application/json', body }))
  let text = ''
  for await (const { chunk } of events ?? []) {
    const event = JSON.parse(Buffer.from(chunk?.bytes ?? new Uint8Array()).toString()) as { readonly delta?: { readonly text?: string } }
    text += event.delta?.text ?? ''
  }
  seen.push(text)
  return text
}

it.each([
  ['ConverseStream', converse],
  ['InvokeModelWithResponseStream', invoke],
])('keeps a secret in an answer of %s off the disk, and replays it to the SDK', async (_, agent) => {
  seen.length = 0
  const { trace, text } = await recordRun(agent)
  // The agent saw what was said.
  expect(seen).toEqual([deltas.join('')])
  const chunks = rowsOf(trace, 'chunk').map((row) => Buffer.from(row.bytes ?? Buffer.from(row.text ?? '')))
  const stream = Buffer.concat(chunks).toString('latin1')
  const decoded = Array.from(stream.matchAll(/"bytes":"([^"]+)"/g), ([, base64 = '']) => Buffer.from(base64, 'base64').toString())
  for (const written of [text, stream, decoded.join('')]) {
    for (const secret of [key, key.slice(-12), email, 'firm', 'lee@fi', 'rm.co']) expect(written).not.toContain(secret)
  }
  expect(chunks.length).toBeGreaterThan(deltas.length)
  const run = await expectClean(trace, agent)
  const output = run.outcome.status === 'returned' ? run.outcome.output : undefined
  expect(output).toMatch(/^Your key is sk-proj-w9T9h9L9\w+, and the address wit[\w.]+@[\w.]+\.zz\. Grüße!$/)
  expect(run.modelCalls[0]?.answer).toMatchObject({ text: output, stopReason: 'end' })
  expect(run.modelCalls[0]?.answer?.error).toBe(undefined)
})

function conversed(): Uint8Array[] {
  return [
    writeFrame('messageStart', { role: 'assistant' }),
    ...deltas.map((text) => writeFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'abc' })),
    writeFrame('contentBlockStop', { contentBlockIndex: 0 }),
    writeFrame('messageStop', { stopReason: 'end_turn' }),
  ]
}

function invoked(): Uint8Array[] {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4', content: [], usage: { input_tokens: 1 } }
  const events = [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...deltas.map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  return events.map((event) => writeFrame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abc' }))
}
