import { expect, it } from 'vitest'
import { type AgentMessage, AgentMessages } from '../../../src/boundaries/process/agent-messages.ts'
import { createRandom } from '../../support/random.ts'

const SEED = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

/** What is told of bytes that are written in such pieces, with the end of the input. */
function told(pieces: readonly Uint8Array[]): AgentMessage[] {
  const messages: AgentMessage[] = []
  const reader = new AgentMessages((message) => messages.push(message))
  for (const piece of pieces) reader.add(piece)
  reader.end()
  return messages
}

it('makes a message of each line of JSON, and one of all lines between them', () => {
  const text = 'one\ntwo\n{"a":1}\n{"b": "é"}\n{"id":9007199254740993}\n{not json}\nthree'
  expect(told([Buffer.from(text)])).toEqual([
    { text: 'one\ntwo\n' },
    { json: { a: 1 } },
    { json: { b: 'é' } },
    { text: '{"id":9007199254740993}\n{not json}\nthree' },
  ])
})

it('ends a text where the process answers, and not a line of JSON', () => {
  const messages: AgentMessage[] = []
  const reader = new AgentMessages((message) => messages.push(message))
  reader.add(Buffer.from('yes'))
  reader.cut()
  reader.add(Buffer.from('{"a":'))
  reader.cut()
  reader.add(Buffer.from('1}\n'))
  expect([messages, reader.isOpen]).toEqual([[{ text: 'yes' }, { json: { a: 1 } }], false])
})

it(`makes the same of the same bytes, however they are cut (GOLDENRUN_SEED=${SEED})`, () => {
  const { next } = createRandom(SEED)
  const lines = [
    '{"type":"user","text":"hé"}\n',
    'plain\n',
    '{"broken\n',
    'x'.repeat(700_000),
    '\n',
    'y'.repeat(2_300_000),
    '\n{"last":true}\n',
  ]
  const bytes = Buffer.concat([Buffer.from(lines.join('')), Buffer.from([0, 255, 10, 128])])
  const whole = told([bytes])
  expect(whole.length).toBeGreaterThan(4)
  for (let time = 0; time < 50; time += 1) {
    const pieces: Uint8Array[] = []
    for (let start = 0; start < bytes.length;) {
      const end = start + 1 + Math.floor(next() ** 4 * 900_000)
      pieces.push(bytes.subarray(start, end))
      start = end
    }
    expect(told(pieces)).toEqual(whole)
  }
})
