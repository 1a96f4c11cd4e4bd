import { expect, it } from 'vitest'
import { redactionOf } from '../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { gitleaksKinds } from './kinds/gitleaks-kinds.ts'
import type { Kind } from './kinds/kind.ts'
import { otherKinds } from './kinds/other-kinds.ts'

const kinds = [...gitleaksKinds, ...otherKinds]

/** How a text may reach a recorder. */
const ways: Readonly<Record<string, (text: string) => { readonly redacted: string; readonly written: (secret: string) => string }>> = {
  'as text': (text) => ({ redacted: createRedactor().text(text), written: (secret) => secret }),
  'in a message': (text) => ({
    redacted: JSON.stringify(createRedactor().value({ messages: [{ role: 'user', content: text }] })),
    written: (secret) => JSON.stringify(secret).slice(1, -1),
  }),
  'in a form': (text) => ({ redacted: createRedactor().text(`a=1&q=${encodeURIComponent(text)}`), written: encodeURIComponent }),
  'in pieces of a body': (text) => ({
    redacted: decode(redactPieces(inPieces(encode(JSON.stringify({ note: text })), 11))),
    written: (secret) => JSON.stringify(secret).slice(1, -1),
  }),
  'as a model says it, bit by bit': (text) => ({
    redacted: said(redactPieces(inPieces(text, 7).map(asEvent), 'text/event-stream')),
    written: (secret) => secret,
  }),
  'in bytes': (text) => ({ redacted: Buffer.from(createRedactor().bytes(Buffer.from(text))).toString(), written: (secret) => secret }),
}

function redactPieces(pieces: readonly string[], contentType?: string): string {
  const redaction = redactionOf(createRedactor(), contentType)
  let redacted = ''
  for (const piece of pieces) redaction.add(piece, (each) => (redacted += each))
  redaction.end()
  return redacted
}

/** A stream is redacted as bytes. */
function encode(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function decode(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

function inPieces(text: string, length: number): string[] {
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  )
}

function asEvent(content: string): string {
  return encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
}

function said(stream: string): string {
  return Array.from(decode(stream).matchAll(/"content":("(?:[^"\\]|\\.)*")/g), ([, literal = '""']) => JSON.parse(literal) as string).join(
    '',
  )
}

/** What of a kind is still there: its end at the least, since a vendor's prefix may stay. */
function leaksOf({ kind, samples }: Kind): string[] {
  return Object.entries(ways).flatMap(([way, put]) =>
    samples.flatMap(({ secret, text }) => {
      const { redacted, written } = put(text)
      const left = [secret, secret.slice(-Math.max(6, secret.length / 2))].some((part) => redacted.includes(written(part)))
      return left ? [`${kind}, ${way}: ${text.slice(0, 200)} → ${redacted.slice(0, 200)}`] : []
    }),
  )
}

it('has three hundred kinds and more, with samples that are what they say', () => {
  expect(kinds.length).toBeGreaterThanOrEqual(300)
  expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(kinds.length)
  for (const { kind, samples } of kinds) {
    expect(samples.length, kind).toBeGreaterThanOrEqual(2)
    for (const { secret, text } of samples) expect(JSON.stringify(text), kind).toContain(JSON.stringify(secret).slice(1, -1))
  }
})

it('finds 95 % and more of the kinds, in every sample and in every way in which it may be sent', () => {
  const missed = kinds.filter((kind) => leaksOf(kind).length > 0)
  const found = 1 - missed.length / kinds.length
  expect(found, missed.flatMap((kind) => leaksOf(kind).slice(0, 1)).join('\n')).toBeGreaterThanOrEqual(0.95)
})
