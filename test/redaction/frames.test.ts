import { EventStreamCodec, type Message } from '@smithy/core/event-streams'
import { expect, it } from 'vitest'
import { writeFrame } from '../../src/models/event-stream.ts'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'

const email = 'ann.lee@firm.co.uk'
const key = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
)

const converse = (text: string): Uint8Array => writeFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text }, p: 'abcd' })
const toolInput = (input: string): Uint8Array =>
  writeFrame('contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input } }, p: 'ab' })
const invoked = (text: string): Uint8Array => {
  const event = JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  return writeFrame('chunk', { bytes: Buffer.from(event).toString('base64'), p: 'abcdef' })
}

/** Redacts the pieces of a stream of frames; each piece stays one. */
function redact(pieces: readonly Uint8Array[], redactor = createRedactor()): Buffer[] {
  const redaction = redactionOf(redactor, 'application/vnd.amazon.eventstream')
  const handed: Buffer[] = []
  for (const [index, piece] of pieces.entries())
    redaction.add(latin(piece), (redacted) => (handed[index] = Buffer.from(redacted, 'latin1')))
  redaction.end()
  return handed
}

/** The frames of a stream, read by the SDKs' codec: it throws where a length or a checksum is wrong. */
function readMessages(stream: Buffer): Message[] {
  const messages: Message[] = []
  for (let at = 0; at < stream.length;) {
    const end = at + stream.readUInt32BE(at)
    messages.push(codec.decode(stream.subarray(at, end)))
    at = end
  }
  return messages
}

/** The model's events in a stream of frames. */
function eventsOf(stream: Buffer): string[] {
  return readMessages(stream).map(({ body }) => {
    const text = Buffer.from(body).toString()
    const { bytes } = JSON.parse(text) as { bytes?: string }
    return bytes === undefined ? text : Buffer.from(bytes, 'base64').toString()
  })
}

/** What the texts of a stream come to. */
function said(stream: Buffer): string {
  const literals = eventsOf(stream).map((event) => /"(?:text|input)":("(?:[^"\\]|\\.)*")/.exec(event)?.[1] ?? '""')
  return literals.map((literal) => JSON.parse(literal) as string).join('')
}

it.each([
  ['Converse', converse],
  ["Converse's tool calls", toolInput],
  ['InvokeModel', invoked],
])('finds a secret in the frames of %s, wherever they are cut into pieces', (_, frame) => {
  const texts = [`Ask "${email}" —`, ` and ask ${key} too.\n`, 'Grüße']
  const whole = createRedactor().text(texts.join(''))
  expect(whole).not.toContain(key)
  const frames = texts.map(frame)
  const stream = Buffer.concat(frames)
  const lengths = redact(frames).map(({ length }) => length)
  for (let at = 0; at <= stream.length; at += 1) {
    const handed = redact([stream.subarray(0, at), stream.subarray(at)])
    expect(handed).toHaveLength(2)
    expect(said(Buffer.concat(handed))).toBe(whole)
    // A frame is complete in the piece in which it was.
    const completeIn = (part: Buffer, sizes: readonly number[]): number =>
      sizes.filter((_size, index) => sizes.slice(0, index + 1).reduce((sum, size) => sum + size) <= part.length).length
    expect(completeIn(handed[0] ?? Buffer.alloc(0), lengths)).toBe(
      completeIn(
        stream.subarray(0, at),
        frames.map(({ length }) => length),
      ),
    )
  }
  expect(said(Buffer.concat(redact(Array.from(stream, (byte) => Uint8Array.of(byte)))))).toBe(whole)
})

it.each([
  ['Converse', converse],
  ["Converse's tool calls", toolInput],
  ['InvokeModel', invoked],
])('finds a secret that a stream of %s says in two or three frames', (_, frame) => {
  const text = `Ask "${email}" — or ${key}.\nGrüße`
  const whole = createRedactor().text(text)
  for (let first = 1; first < text.length; first += 1) {
    for (const second of [first, first + 2]) {
      const parts = [text.slice(0, first), text.slice(first, second), text.slice(second)].filter((part) => part !== '')
      const handed = redact(parts.map(frame))
      expect(handed).toHaveLength(parts.length)
      expect(said(Buffer.concat(handed))).toBe(whole)
    }
  }
})

it('leaves frames without secrets as they are, byte for byte and piece for piece', () => {
  const picture = codec.encode({ headers: {}, body: Uint8Array.from({ length: 300 }, (_, index) => (index * 37) % 256) })
  const stream = Buffer.concat([converse('Hello wor'), invoked('ld'), codec.encode({ headers: {}, body: new Uint8Array() }), picture])
  for (const length of [1, 7, 50, 10_000]) {
    const pieces = Array.from({ length: Math.ceil(stream.length / length) }, (_, index) =>
      stream.subarray(index * length, (index + 1) * length),
    )
    expect(redact(pieces)).toEqual(pieces)
  }
})

it('passes on immediately frames that cannot end in the beginning of a secret', () => {
  const redaction = redactionOf(createRedactor(), 'application/vnd.amazon.eventstream')
  for (const frame of [converse('word '), invoked('word '), toolInput('], ')]) {
    let handed = 0
    redaction.add(latin(frame), () => (handed += 1))
    expect(handed).toBe(1)
  }
})

it('keeps headers of every type, and finds a secret in those that are text', () => {
  const headers: Message['headers'] = {
    ':message-type': { type: 'string', value: 'error' },
    ':error-message': { type: 'string', value: `Who is ${email}, Grüße?` },
    yes: { type: 'boolean', value: true },
    no: { type: 'boolean', value: false },
    byte: { type: 'byte', value: 1 },
    short: { type: 'short', value: 2 },
    integer: { type: 'integer', value: 3 },
    bytes: { type: 'binary', value: Uint8Array.of(1, 2, 3) },
    at: { type: 'timestamp', value: new Date(1_700_000_000_000) },
    id: { type: 'uuid', value: '00010203-0405-0607-0809-0a0b0c0d0e0f' },
    last: { type: 'string', value: 'x' },
  }
  const [message] = readMessages(Buffer.concat(redact([codec.encode({ headers, body: new Uint8Array() })])))
  const value = createRedactor().text(`Who is ${email}, Grüße?`)
  expect(value).not.toContain(email)
  expect(message?.headers).toEqual({ ...headers, ':error-message': { type: 'string', value } })
})

it('finds a secret in payloads that are no JSON, and fields by their path in those that are', () => {
  const ruleSet = createRuleSet({ rules: [{ name: 'name', path: 'customer.name' }] })
  const records = [`1,${email.slice(0, 7)}`, `${email.slice(7)},x\n`].map((text) => codec.encode({ headers: {}, body: Buffer.from(text) }))
  const json = writeFrame('customer', { customer: { name: 'Ann Lee', city: 'Rome' } })
  const [first, second, third] = readMessages(Buffer.concat(redact([...records, json], createRedactor({ ruleSet }))))
  const text = Buffer.concat([first?.body ?? '', second?.body ?? ''].map((part) => Buffer.from(part))).toString()
  expect(text).toBe('1,wit.hhe@ldaa.ab.zz,x\n')
  expect(Buffer.from(third?.body ?? '').toString()).toBe('{"customer":{"name":"Wit Aab","city":"Rome"}}')
})

it('leaves a damaged frame damaged, without the secret in it', () => {
  const frame = Buffer.from(invoked(`Ask ${email}`))
  frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1
  const redacted = Buffer.concat(redact([frame, converse('on')]))
  expect(() => readMessages(redacted)).toThrow('message checksum')
  const end = redacted.readUInt32BE(0)
  expect(Buffer.from(/"bytes":"([^"]+)"/.exec(latin(redacted))?.[1] ?? '', 'base64').toString()).toMatch(/Ask wit\.\w{3}@/)
  expect(said(redacted.subarray(end))).toBe('on')
})

it('finds a secret in a frame that was cut, which stays one', () => {
  for (const [frame, decode] of [
    [converse, (text: string) => text],
    [invoked, (text: string) => Buffer.from(/"bytes":"([^"]*)/.exec(text)?.[1] ?? '', 'base64').toString()],
  ] as const) {
    const whole = Buffer.from(frame(`Ask ${email} and ask on and on and on`))
    for (let missing = 1; missing < 40; missing += 1) {
      const [redacted = Buffer.alloc(0)] = redact([whole.subarray(0, -missing)])
      expect(redacted.length).toBeLessThan(redacted.readUInt32BE(0))
      expect(decode(latin(redacted))).not.toContain('firm')
      expect(decode(latin(redacted))).toContain('Ask wit')
    }
    expect(redact([whole.subarray(0, 30)])).toEqual([whole.subarray(0, 30)])
  }
})

it('takes what is in no frame as text: an error in place of a stream, and what follows a wrong prelude', () => {
  const error = Buffer.from(JSON.stringify({ message: `Who is ${email}?` }))
  for (let at = 0; at <= error.length; at += 1) {
    const text = Buffer.concat(redact([error.subarray(0, at), error.subarray(at)])).toString()
    expect(text).toBe('{"message":"Who is wit.hhe@ldaa.ab.zz?"}')
  }
  const wrong = Buffer.from(converse(`Ask ${email}.`))
  wrong[9] = (wrong[9] ?? 0) ^ 1
  const redacted = Buffer.concat(redact([converse('before'), wrong]))
  expect(redacted.subarray(0, converse('before').length)).toEqual(Buffer.from(converse('before')))
  expect(latin(redacted)).not.toContain('firm')
})

it('finds a secret in frames that are a value: the answer of an ambient call, a request', () => {
  const { bytes } = createRedactor()
  const [stream, clean] = [Buffer.concat([invoked('Ask '), invoked(`${email}.`)]), Buffer.concat([invoked('Ask '), converse('me')])]
  expect(said(Buffer.from(bytes(stream)))).toBe('Ask wit.hhe@ldaa.ab.zz.')
  expect(bytes(clean)).toBe(clean)
})

function latin(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
