import { expect, it } from 'vitest'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'

const email = 'ann.lee@firm.co.uk'

/** Redacts the pieces of a stream; each piece stays one. */
function redact(pieces: readonly string[], contentType = 'text/event-stream; charset=utf-8'): string[] {
  const redaction = redactionOf(createRedactor(), contentType)
  const handed: string[] = []
  for (const piece of pieces) redaction.add(piece, (redacted) => handed.push(redacted))
  redaction.end()
  return handed
}

const openai = (content: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const anthropic = (text: string): string =>
  `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } })}\n\n`
const responses = (delta: string): string =>
  `data: ${JSON.stringify({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 0, content_index: 0, delta })}\n\n`
const gemini = (text: string): string => `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, index: 0 }] })}\r\n\r\n`
const ollama = (content: string): string => `${JSON.stringify({ message: { role: 'assistant', content }, done: false })}\n`
const call = (args: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: args } }] } }] })}\n\n`

/** What the texts of a stream come to. */
function said(stream: string): string {
  return Array.from(
    stream.matchAll(/"(?:content|text|delta|arguments)":("(?:[^"\\]|\\.)*")/g),
    ([, literal = '""']) => JSON.parse(literal) as string,
  ).join('')
}

it.each([
  ['OpenAI', openai, 'text/event-stream'],
  ['Anthropic', anthropic, 'text/event-stream'],
  ['OpenAI responses', responses, 'text/event-stream'],
  ['Gemini', gemini, 'text/event-stream'],
  ['Ollama', ollama, 'application/x-ndjson'],
  ['a tool call', call, 'text/event-stream'],
])('finds a secret that a stream of %s says in two or three events', (_, event, contentType) => {
  const text = `Ask "${email}" — or ${email}.\nGrüße`
  const whole = createRedactor().text(text)
  for (let first = 1; first < text.length; first += 1) {
    for (const second of [first, first + 2]) {
      const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)].filter((part) => part !== '')
      const stream = Buffer.from(parts.map(event).join('')).toString('latin1')
      const pieces = [stream.slice(0, first * 3), stream.slice(first * 3)]
      const handed = redact(pieces, contentType)
      expect(handed).toHaveLength(2)
      expect(said(Buffer.from(handed.join(''), 'latin1').toString())).toBe(whole)
    }
  }
})

it('keeps the events of parallel choices and calls apart', () => {
  const choice = (index: number, content: string): string => `data: ${JSON.stringify({ choices: [{ index, delta: { content } }] })}\n\n`
  const stream = redact([choice(0, 'ann@fi'), choice(1, 'bob@ho'), choice(0, 'rm.de '), choice(1, 'me.uk ')]).join('')
  expect(stream).not.toMatch(/rm\.de|me\.uk/)
  const redacted = createRedactor().text('ann@firm.de ')
  expect(
    said(
      stream
        .split('\n\n')
        .filter((_, index) => index % 2 === 0)
        .join('\n\n'),
    ),
  ).toBe(redacted)
})

it('leaves a stream without secrets as it is, byte for byte and piece for piece', () => {
  const stream = Buffer.from(`: comment\n${['Hel', 'lo "wor', 'ld" 12', '34 äöü \\', 'n'].map(openai).join('')}data: [DONE]\n\n`).toString(
    'latin1',
  )
  for (const length of [1, 7, 50, 1000]) {
    const pieces = stream.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []
    expect(redact(pieces)).toEqual(pieces)
  }
})

it('knows fields by their path in JSON that comes in pieces, and in the events of a stream', () => {
  const ruleSet = createRuleSet({ rules: [{ name: 'name', path: 'customer.name' }] })
  const redactAll = (pieces: readonly string[], contentType: string): string => {
    const redaction = redactionOf(createRedactor({ ruleSet }), contentType)
    const handed: string[] = []
    for (const piece of pieces) redaction.add(piece, (redacted) => handed.push(redacted))
    redaction.end()
    return handed.join('')
  }
  const json = '{"customer":{"name":"Ann Lee","city":"Rome"}}'
  for (let at = 1; at < json.length; at += 1) {
    expect(redactAll([json.slice(0, at), json.slice(at)], 'application/json')).toBe('{"customer":{"name":"Wit Aab","city":"Rome"}}')
  }
  expect(redactAll([`data: ${json}\n\n`], 'text/event-stream')).toBe('data: {"customer":{"name":"Wit Aab","city":"Rome"}}\n\n')
})

it('finds a secret at the border of two pieces of a long line', () => {
  for (const [secret, ruleSet] of [
    [email, createRuleSet()],
    ['+49 170 1234567', createRuleSet()],
    ['CUST 12 of 34', createRuleSet({ rules: [{ name: 'customer', pattern: /CUST \d+ of \d+/ }] })],
  ] as const) {
    for (const filler of ['lorem ipsum ', 'a token, ']) {
      const text = `${filler.repeat(3000)}"${secret}" and ${filler.repeat(3000)}`
      const start = text.indexOf(secret)
      for (let at = start; at <= start + secret.length; at += 1) {
        const redaction = redactionOf(createRedactor({ ruleSet }), 'text/plain')
        const handed: string[] = []
        for (const piece of [text.slice(0, at), text.slice(at)]) redaction.add(piece, (redacted) => handed.push(redacted))
        redaction.end()
        expect(handed.join('')).toBe(createRedactor({ ruleSet }).text(text))
      }
    }
  }
})

it('passes on the pieces of a stream while it is running', () => {
  const redaction = redactionOf(createRedactor(), 'text/event-stream')
  const counts = Array.from({ length: 50 }, () => {
    let handed = 0
    redaction.add(openai('word '), () => (handed += 1))
    return handed
  })
  expect(counts).toEqual(Array.from({ length: 50 }, () => 1))
})

it('looks again at what stands around the words of a stream once something more is secret', () => {
  const redactor = createRedactor({ ruleSet: createRuleSet({ draws: 'stand-in' }) })
  const redaction = redactionOf(redactor, 'text/event-stream')
  const drawn = Buffer.from('0123456789abcdef', 'hex')
  const event = (word: string): string =>
    `data: ${JSON.stringify({ id: drawn.toString('hex'), choices: [{ index: 0, delta: { content: word } }] })}\n\n`
  const handed: string[] = []
  for (const word of ['It', ' left']) redaction.add(event(word), (piece) => handed.push(piece))
  redactor.draw(drawn)
  for (const word of [' this', ' morning']) redaction.add(event(word), (piece) => handed.push(piece))
  redaction.end()
  expect(handed.map((piece) => piece.includes(drawn.toString('hex')))).toEqual([true, true, false, false])
  expect(said(handed.join(''))).toBe('It left this morning')
})
