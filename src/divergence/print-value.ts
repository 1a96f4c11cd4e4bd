import { isErrorObject } from '../trace/error-parts.ts'
import { isReserved } from '../trace/json.ts'
import { HandleValue } from '../trace/handle-value.ts'
import { printable } from '../trace/printable.ts'
import { UnkeptValue } from '../trace/unkept-value.ts'
import { isFields, type Fields } from './same-value.ts'

/** Deeper values are not printed, because they would be unreadable. */
const maxDepth = 12

/**
 * A value on one line, as JSON if it is JSON, cut to `max` characters. Accepts values in recorded form and plain JavaScript values: dates,
 * maps, errors and similar values are printed by kind, and asymmetric matchers by name. Never throws.
 */
export function printValue(value: unknown, max: number = Infinity): string {
  const printer: Printer = { left: max, parts: [] }
  try {
    print(value, printer, 0)
  } catch {
    // A getter or a proxy of the value threw.
    write(printer, '<unreadable>')
  }
  return cutText(printable(printer.parts.join('')), max)
}

/** The same for a field. An absent field is printed as `nothing`. */
export function printField(value: unknown, max: number = Infinity): string {
  return value === undefined ? 'nothing' : printValue(value, max)
}

/** A text cut to `max` characters, ending in an ellipsis if something was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.max(0, max - 1)
  const splitsPair = end > 0 && /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}

interface Printer {
  /** Characters left before the cut: nothing after it is printed. */
  left: number
  readonly parts: string[]
}

function write(printer: Printer, text: string): void {
  printer.parts.push(text)
  printer.left -= text.length
}

function print(value: unknown, printer: Printer, depth: number): void {
  if (printer.left < 0) return
  if (value instanceof HandleValue) return printHandle(value.parts, printer, depth)
  const word = wordFor(value, printer.left)
  if (word !== undefined) return write(printer, word)
  if (depth > maxDepth) return write(printer, '…')
  if (Array.isArray(value)) return printItems('[', value, ']', printer, depth)
  if (value instanceof Set) return printItems('Set [', [...value], ']', printer, depth)
  if (value instanceof Map) return printItems('Map [', [...value], ']', printer, depth)
  if (!isFields(value)) return write(printer, String(value))
  if (isReserved(value)) return printReserved(value['$'], printer, depth)
  write(printer, '{')
  let isFirst = true
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    if (printer.left < 0) return
    write(printer, `${isFirst ? '' : ','}${JSON.stringify(name)}:`)
    print(field, printer, depth + 1)
    isFirst = false
  }
  write(printer, '}')
}

function printItems(open: string, items: readonly unknown[], close: string, printer: Printer, depth: number): void {
  write(printer, open)
  for (const [index, item] of items.entries()) {
    if (printer.left < 0) return
    if (index > 0) write(printer, ',')
    print(item, printer, depth + 1)
  }
  write(printer, close)
}

/** The text of a primitive or special value; undefined for arrays and objects with fields. */
function wordFor(value: unknown, left: number): string | undefined {
  // Only the shown part is escaped, because a text may be megabytes long.
  if (typeof value === 'string') return value.length > left ? JSON.stringify(value.slice(0, left + 1)) : JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'function') return `<function ${value.name || 'anonymous'}>`
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Date) return printDate(Number.isNaN(value.getTime()) ? 'invalid' : value.toISOString())
  if (value instanceof RegExp) return String(value)
  if (value instanceof URL) return `URL ${value.href}`
  if (value instanceof UnkeptValue) return printUnkept(value.reason)
  if (ArrayBuffer.isView(value)) return printBytes(value.byteLength)
  if (isErrorObject(value)) return `${value.name}: ${value.message}`
  return isAsymmetric(value) ? printAsymmetric(value, left) : undefined
}

/** A test runner's `expect.any(String)` and the like. */
interface AsymmetricMatcher {
  readonly sample?: unknown
  toAsymmetricMatcher?(): string
  toString(): string
}

function isAsymmetric(value: object): value is AsymmetricMatcher {
  return Reflect.get(value, '$$typeof') === Symbol.for('jest.asymmetricMatcher')
}

function printAsymmetric(matcher: AsymmetricMatcher, left: number): string {
  return matcher.toAsymmetricMatcher?.() ?? `${matcher.toString()}(${printValue(matcher.sample, left)})`
}

/** Prints an object with methods as its class and its contents. */
function printHandle(parts: unknown, printer: Printer, depth: number): void {
  if (!isFields(parts)) return write(printer, '<itself>')
  const { class: name, fields } = parts
  const isBare = isFields(fields) && Object.keys(fields).length === 0
  write(printer, [...(name === '' ? [] : [String(name)]), ...(isBare && name !== '' ? [] : [''])].join(' '))
  if (!isBare || name === '') print(fields, printer, depth)
}

/** Prints values that are not JSON and hold no others, by their kinds in the form that `toRecorded` writes. */
const reservedWords: Readonly<Record<string, (payload: unknown) => string>> = {
  date: (payload) => printDate(String(payload)),
  bigint: (payload) => `${String(payload)}n`,
  number: String,
  undefined: () => 'undefined',
  bytes: (payload) => printBytes(Math.floor((String(payload).replace(/=+$/, '').length * 3) / 4)),
  regexp: (payload) => `/${String(listOf(payload)[0])}/${String(listOf(payload)[1])}`,
  url: (payload) => `URL ${String(payload)}`,
  error: printRecordedError,
  unkept: (payload) => printUnkept(String(payload)),
  cycle: (payload) => `<the same as ${String(payload)}>`,
}

/** Prints a value that is not JSON, in the form that `toRecorded` writes. */
function printReserved(stands: unknown, printer: Printer, depth: number): void {
  const [kind, payload] = (isFields(stands) ? Object.entries(stands)[0] : undefined) ?? ['', stands]
  const word = Object.hasOwn(reservedWords, kind) ? reservedWords[kind]?.(payload) : undefined
  if (word !== undefined) return write(printer, word)
  switch (kind) {
    case 'map':
      return printItems('Map [', listOf(payload), ']', printer, depth)
    case 'set':
      return printItems('Set [', listOf(payload), ']', printer, depth)
    case 'handle':
      return printHandle(payload, printer, depth)
    case 'literal':
      return print(payload, printer, depth)
    default:
      return write(printer, JSON.stringify({ $: stands }))
  }
}

function printDate(iso: string): string {
  return `Date ${iso}`
}

function printBytes(count: number): string {
  return `<${count} bytes>`
}

function printUnkept(reason: string): string {
  return `<${reason.replace(/,$/, '')}, not kept>`
}

function printRecordedError(error: unknown): string {
  const { name, message }: Fields = isFields(error) ? error : {}
  return `${String(name)}: ${String(message)}`
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
