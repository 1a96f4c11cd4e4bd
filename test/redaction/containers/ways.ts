import { redactionOf } from '../../../src/redaction/redaction-of.ts'
import { createRedactor } from '../../../src/redaction/redactor.ts'
import type { Redactor } from '../../../src/redaction/redactor-types.ts'
import type { RuleSet } from '../../../src/redaction/rule-set.ts'

/** Sends a text through a redactor in one way, and returns it as its receiver reads it. */
export type Way = (text: string, redactor: Redactor) => string

/** The ways in which a container reaches a recorder. */
export const ways: Readonly<Record<string, Way>> = {
  'as text': (text, redactor) => redactor.text(text),
  'as a value': (text, redactor) => readValue(text, redactor),
  'in a message': (text, redactor) => redactor.value({ messages: [{ role: 'user', content: text }] }).messages[0]?.content ?? '',
  'in JSON that is text': (text, redactor) => contentOf(redactor.text(JSON.stringify({ id: 7, content: text }))),
  'in JSON in JSON': (text, redactor) => contentOf(contentOf(redactor.text(inJson(inJson(text))))),
  'in a form': (text, redactor) =>
    new URLSearchParams(redactor.text(new URLSearchParams({ id: '7', note: text }).toString())).get('note') ?? '',
  'in a multipart form': (text, redactor) => partOf(redactor.text(inParts(text))),
  'in base64': (text, redactor) => fromBase64(redactor.value({ content: toBase64(text), encoding: 'base64' }).content),
  'in base64url': (text, redactor) =>
    fromBase64(/raw=(?<raw>\S*)/.exec(redactor.text(`raw=${toBase64(text, 'base64url')} end`))?.[1] ?? ''),
  'in base64 in a body': (text, redactor) => fromBase64(contentOf(pieces(inJson(toBase64(text)), 'application/json', redactor))),
  'in SQL': (text, redactor) =>
    (
      /VALUES \(7, '(?<text>[^]*)'\)$/.exec(
        redactor.text(`INSERT INTO notes (id, body) VALUES (7, '${text.replaceAll("'", "''")}')`),
      )?.[1] ?? ''
    ).replaceAll("''", "'"),
  'in a command': (text, redactor) => /<<'EOF'\n(?<text>[^]*)\nEOF$/.exec(redactor.text(`cat > file <<'EOF'\n${text}\nEOF`))?.[1] ?? '',
  'in a log': (text, redactor) => {
    const log = redactor.text(`2026-11-30T06:25:18.123Z DEBUG [agent] read file body=${JSON.stringify(text)}`)
    return JSON.parse(log.slice(log.indexOf('body=') + 5)) as string
  },
  'in pieces of a body': (text, redactor) => contentOf(pieces(inJson(text), 'application/json', redactor)),
  'as a body in one piece': (text, redactor) => pieces(text, 'text/plain', redactor, Infinity),
  'as a model says it at once': (text, redactor) => said(text, redactor, Infinity),
  'as a model says it': (text, redactor) => said(text, redactor),
  'in bytes': (text, redactor) => Buffer.from(redactor.bytes(Buffer.from(text))).toString(),
}

/** Returns what the receiver reads of a text that was sent in a way, through a redactor of its own. */
export function send(way: string, text: string, ruleSet?: RuleSet): string {
  return ways[way]?.(text, createRedactor(ruleSet === undefined ? {} : { ruleSet })) ?? ''
}

function readValue(text: string, redactor: Redactor): string {
  if (!/^\s*\{/.test(text)) return redactor.value({ data: { lines: [text] } }).data.lines[0] ?? ''
  const indent = text.includes('\n') ? 2 : 0
  return JSON.stringify(redactor.value(JSON.parse(text) as unknown), null, indent)
}

function inJson(content: string): string {
  return JSON.stringify({ id: 7, content })
}

function contentOf(json: string): string {
  return (JSON.parse(json) as { readonly content: string }).content
}

function toBase64(text: string, encoding: 'base64' | 'base64url' = 'base64'): string {
  return Buffer.from(text).toString(encoding)
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString()
}

const boundary = '----formdata-undici-012345678901'

function inParts(text: string): string {
  const part = (name: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return `${part('id', '7')}${part('note', text)}--${boundary}--\r\n`
}

function partOf(form: string): string {
  const start = form.indexOf('name="note"\r\n\r\n') + 15
  return form.slice(start, form.indexOf(`\r\n--${boundary}--`, start))
}

/** The pieces of a body fall anywhere. A stream is redacted as bytes. */
function pieces(text: string, contentType: string, redactor: Redactor, length = 37): string {
  const redaction = redactionOf(redactor, contentType)
  let redacted = ''
  for (const piece of inPieces(Buffer.from(text).toString('latin1'), length)) redaction.add(piece, (each) => (redacted += each))
  redaction.end()
  return Buffer.from(redacted, 'latin1').toString()
}

function said(text: string, redactor: Redactor, length = 7): string {
  const redaction = redactionOf(redactor, 'text/event-stream')
  let redacted = ''
  for (const content of inPieces(text, length)) {
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
    redaction.add(Buffer.from(event).toString('latin1'), (each) => (redacted += each))
  }
  redaction.end()
  const read = Buffer.from(redacted, 'latin1').toString()
  return Array.from(read.matchAll(/"content":("(?:[^"\\]|\\.)*")/g), ([, literal = '""']) => JSON.parse(literal) as string).join('')
}

function inPieces(text: string, length: number): string[] {
  if (length === Infinity) return [text]
  const characters = Array.from(text)
  return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(''),
  )
}
