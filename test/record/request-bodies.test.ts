import { expect, it } from 'vitest'
import { RequestBodies } from '../../src/record/keep/request-bodies.ts'
import { ResentTexts } from '../../src/record/resent-texts.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { bodyFromText } from '../../src/trace/body.ts'
import type { HttpBody } from '../../src/trace/rows.ts'

interface Message {
  readonly role: string
  readonly content: unknown
}

const tools = [{ name: 'find', description: 'finds "[{" and "}]" '.repeat(60) }]
const message = (index: number, content: unknown = `said ${index} \\" [{"}], ü€😀`): Message => ({ role: 'user', content })
const messages = (count: number): Message[] => Array.from({ length: count }, (_, index) => message(index))
const request = (items: readonly unknown[], rest: object = { tools, stream: true }): string =>
  JSON.stringify({ model: 'm', messages: items, ...rest })

const itemsOf = (body: HttpBody | undefined, field = 'messages'): unknown => (body?.json as Record<string, unknown> | undefined)?.[field]

/** A run's recogniser, and what reads the bodies of its requests. */
function createReader(redactor = createRedactor()): (body: string | Uint8Array | undefined) => HttpBody {
  const texts = new ResentTexts()
  const bodies = new RequestBodies(redactor)
  return (body) => bodies.read(typeof body === 'string' ? texts.recognise(body) : body)
}

/** Reads bodies one after the other, each held against what it is when it is read alone. */
function expectToRead(texts: readonly string[]): HttpBody[] {
  const readBody = createReader()
  return texts.map((text) => {
    const read = readBody(text)
    expect(read).toEqual(bodyFromText(text))
    expect(JSON.stringify(read.json)).toBe(JSON.stringify(bodyFromText(text).json))
    return read
  })
}

it('reads only what is new of a conversation', () => {
  const [first, second, third] = expectToRead([request(messages(3)), request(messages(5)), request(messages(5))])
  const [before, after] = [itemsOf(first) as unknown[], itemsOf(second) as unknown[]]
  expect(after[2]).toBe(before[2])
  expect(itemsOf(third)).toBe(after)
  expect(itemsOf(third, 'tools')).toBe(itemsOf(first, 'tools'))
})

it('keeps apart what conversations that take turns do not share', () => {
  const ask = (name: string, count: number): string => request([message(0, name.repeat(600)), ...messages(count)])
  const read = expectToRead([ask('a', 2), ask('b', 2), ask('a', 4), ask('b', 5), ask('c', 1), ask('a', 6), ask('b', 6)])
  const items = read.map((body) => itemsOf(body) as unknown[])
  for (const [later, earlier] of [
    [2, 0],
    [3, 1],
    [5, 2],
    [6, 3],
  ] as const)
    expect(items[later]?.[2]).toBe(items[earlier]?.[2])
})

it('reads whatever the next body is', () => {
  const four = messages(4)
  const long = request(four)
  const cut = long.indexOf('},{"role"') + 1
  expectToRead([
    long,
    request(four.slice(0, 2)),
    request([]),
    long,
    request([...four.slice(0, 3), message(9), message(10)]),
    request([...four.slice(0, 3), { ...message(3), cached: true }]),
    request([...four, 'text', 1, null, [message(1)]]),
    request([...four, 'text', 12, null, [message(1)]]),
    request(four, { tools, stream: false }),
    request([...four, message(4)], { stream: true, tools }),
    JSON.stringify({ messages: four, model: 'm', 1: 'first', __proto__: 1 }),
    JSON.stringify(four),
    // No JSON, or not as it is printed again.
    `${long.slice(0, cut)},${long.slice(long.indexOf('],"tools"'))}`,
    `${long.slice(0, cut)}, ${long.slice(cut + 1)}`,
    long.replace('],"tools"', ',],"tools"'),
    long.replace('],"tools"', '}],"tools"'),
    long.replace('],"tools"', '],"messages":[],"tools"'),
    long.replace('],"tools"', ',{"role":"user","content":1.0}],"tools"'),
    long.replace('],"tools"', ',{"role":"user","content":"\\u0041"}],"tools"'),
    long.slice(0, -1),
    long,
  ])
})

it('reads bodies that were changed anywhere as if they were the first', () => {
  const long = request(messages(2))
  const readBody = createReader()
  for (let at = 0; at < long.length; at += 1) {
    readBody(long)
    for (const changed of [
      long.slice(0, at) + long.slice(at + 1),
      `${long.slice(0, at)}]${long.slice(at)}`,
      `${long.slice(0, at)}x${long.slice(at + 1)}`,
    ])
      expect(readBody(changed)).toEqual(bodyFromText(changed.toWellFormed()))
  }
})

it('refuses what stands too deep in what is new', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  const [, deep, deeper] = expectToRead([197, 198, 199].map((depth) => request([...messages(20), message(20, nested(depth - 1))])))
  expect(deep).toHaveProperty('json')
  expect(deeper).toHaveProperty('text')
})

it('reads bytes that are text as text, and others as bytes', () => {
  const readBody = createReader()
  const bytes = Buffer.from(request(messages(4)))
  const broken = Buffer.concat([bytes, Uint8Array.of(0xff)])
  expect(readBody(bytes)).toEqual(bodyFromText(String(bytes)))
  expect(readBody(broken)).toEqual({ bytes: broken })
  expect(readBody(undefined)).toEqual({})
  expect(readBody('')).toEqual({})
})

it('redacts what was sent before once more when more is secret', () => {
  const redactor = createRedactor({ ruleSet: createRuleSet({ rules: [{ name: 'code', path: 'code' }] }) })
  const readBody = createReader(redactor)
  const redact = (items: readonly unknown[]): unknown => readBody(request(items)).json
  const said = [message(0, 'key sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'), message(1, 'it is tulip-42'), ...messages(10)]
  const first = redact(said) as { messages: readonly unknown[] }
  const second = redact([...said, message(20)]) as { messages: readonly unknown[] }
  expect(JSON.stringify(second)).toContain('tulip-42')
  expect(JSON.stringify(second)).not.toContain('sk-proj-a1B2')
  // Neither is looked at again, nor is it another object.
  expect(second.messages[0]).toBe(first.messages[0])
  const third = redact([...said, message(20), { role: 'tool', code: 'tulip-42' }])
  const fourth = redact([...said, message(20), { role: 'tool', code: 'tulip-42' }, message(21)])
  expect(JSON.stringify(fourth)).not.toContain('tulip-42')
  // What the message that tells was read before is still as it was then.
  expect(JSON.stringify(third).match(/tulip-42/g)).toHaveLength(1)
})
