import { expect, it } from 'vitest'
import { ListedStandIns } from '../../src/redaction/listed-stand-ins.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createRuleSet, recordedRuleSet } from '../../src/redaction/rule-set.ts'

const text =
  'Write to jane.doe.private@customermail.com or pay with 4539 5787 6362 1486. ' +
  'The key is sk-proj-Zq8Lm2Xv7Rt4Wy9Nb3Kd6Hs1Jf5Gp0Qa8Uc2Ei7Vo4Tz9Aa1Bb2Cc3 now.'
const secrets = /jane|doe|customer|5787|1486|Zq8L|Kd6H|Tz9A|2Cc3/

function piecesOf(whole: string, length: number): string[] {
  return whole.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
}

interface Output {
  readonly kind: string
  readonly yielded: readonly unknown[]
  readonly contentType?: string
}

function redact(yielded: readonly unknown[], fields: object = { kind: 'iterable' }): readonly unknown[] {
  const redactor = createRedactor()
  const redacted = redactor.value({ ...fields, yielded }) as Output
  // A stand-in redacts to itself, in pieces as well.
  expect(createRedactor({ standIns: new ListedStandIns(redactor.standIns.rows) }).value(redacted)).toEqual(redacted)
  return redacted.yielded
}

it.each([1, 2, 3, 4, 7, 16, 24, 33, 60, 100, 400])('redacts texts that pieces of %i characters spell together', (length) => {
  const whole = createRedactor().text(text)
  expect(whole).not.toMatch(secrets)
  const redacted = redact(piecesOf(text, length)) as string[]
  expect(redacted.join('')).toBe(whole)
  // Each piece keeps its place.
  expect(redacted).toHaveLength(Math.ceil(text.length / length))
  expect(redacted[0]).toBe(createRedactor().text(text).slice(0, redacted[0]?.length))
})

it.each([
  ['objects', (piece: string): unknown => ({ type: 'text-delta', id: 'a', delta: piece }), { kind: 'iterable' }],
  ['nested objects', (piece: string): unknown => ({ choices: [{ index: 0, delta: { content: piece } }], model: 'm' }), { kind: 'stream' }],
  ['tokens', (piece: string) => ({ token: piece }), { kind: 'stream' }],
  ['events', (piece: string) => `data: ${JSON.stringify({ delta: piece })}\n\n`, { kind: 'response', contentType: 'text/event-stream' }],
  ['events of a stream', (piece: string) => `data: ${JSON.stringify({ delta: piece })}\n\n`, { kind: 'stream' }],
  ['events without line breaks', (piece: string) => `data: ${JSON.stringify({ delta: piece })}`, { kind: 'iterable' }],
  ['lines of JSON', (piece: string) => `${JSON.stringify({ text: piece })}\n`, { kind: 'response', contentType: 'application/x-ndjson' }],
  ['JSON', (piece: string) => JSON.stringify({ text: piece }), { kind: 'iterable' }],
])('redacts texts that pieces spell together in %s', (_, write, fields) => {
  const spelled = redact(
    piecesOf(text, 4).map((piece): unknown => write(piece)),
    fields,
  ).map((item) => /"(?:delta|content|text|token)":"(?<text>[^"]*)"/.exec(typeof item === 'string' ? item : JSON.stringify(item)))
  expect(spelled.map((found) => found?.groups?.['text'] ?? '').join('')).toBe(createRedactor().text(text))
})

it('redacts the members of an object that offers streams', () => {
  const parts = [
    { name: 'textStream', kind: 'stream', yielded: piecesOf(text, 4) },
    { name: 'other', kind: 'iterable', yielded: ['no', ' secret'] },
  ]
  const output = createRedactor().value({ kind: 'object', yielded: [], parts })
  expect(output.parts[0]?.yielded.join('')).toBe(createRedactor().text(text))
  expect(output.parts[1]).toBe(parts[1])
})

it('gives a piece the stand-in that its secret has elsewhere', () => {
  const redacted = createRedactor().value({
    mail: 'ann.lee@firm.de',
    kind: 'iterable',
    yielded: ['To ann', '.lee@', 'firm.de, ', 'née Müller'],
  })
  expect(redacted).toEqual({
    mail: 'wit.hhe@laab.zz',
    kind: 'iterable',
    yielded: ['To wit', '.hhe@', 'laab.zz, ', 'née Müller'],
  })
})

it.each([
  [
    ['row1', 'ann.lee@firm.de', 'bob@firm.de', 'end'],
    ['row1', 'wit.hhe@laab.zz', 'wit@haab.zz', 'end'],
  ],
  [
    ['Sent to ann.lee@firm.de', 'Refunded'],
    ['Sent to wit.hhe@laab.zz', 'Refunded'],
  ],
  [
    ['4539578763621486', '4539578763621486'],
    ['4539999900000014', '4539999900000014'],
  ],
  [
    ['password: ', 'Quitten03saft', '\n'],
    ['password: ', 'Withhel90aaab', '\n'],
  ],
  [
    [{ text: 'a', password: 'swordfish' }, 1, 'b'],
    [{ text: 'a', password: 'withheaab' }, 1, 'b'],
  ],
])('redacts items by themselves: %j', (yielded, expected) => {
  expect(redact(yielded)).toEqual(expected)
})

it('leaves pieces without secrets as they are', () => {
  const output = { kind: 'iterable', yielded: ['Your ', 'order ', { delta: 'is' }, { delta: ' packed' }, 7, ''] }
  expect(createRedactor().value(output)).toBe(output)
})

it('redacts each piece by itself if the trace was recorded without the rule', () => {
  const { record } = createRuleSet({ off: ['streamed-output'] })
  const output = { kind: 'iterable', yielded: piecesOf(text, 4) }
  expect(createRedactor({ ruleSet: recordedRuleSet({ ...record, standIns: 0 }) }).value(output)).toBe(output)
})
