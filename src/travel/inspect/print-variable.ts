import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../trace/json.ts'

/** Prints a described value on one line, as JavaScript writes it. */
export function printVariable(value: Json): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isJsonArray(value)) return printList(value)
  if (!isJsonObject(value)) return `${value}`
  const { $, ...fields } = value
  const names = Object.entries(fields)
  if ($ === undefined) return printFields(names)
  const special = $ as JsonObject
  const printed = Object.keys(printers).find((name) => name in special)
  const text = printed === undefined ? plain(special['class'] ?? 'Object') : (printers[printed]?.(special[printed] ?? null, special) ?? '')
  return names.length === 0 ? text : `${text} ${printFields(names)}`
}

type Printer = (value: Json, all: JsonObject) => string

const printers: Readonly<Record<string, Printer>> = {
  undefined: () => 'undefined',
  number: plain,
  bigint: (value) => `${plain(value)}n`,
  symbol: (value) => `Symbol(${plain(value)})`,
  function: (value) => `[function${value === '' ? '' : ` ${plain(value)}`}]`,
  getter: () => '[getter, not called]',
  proxy: () => '[proxy, not read]',
  cycle: (value) => `[the object ${plain(value)} ${value === 1 ? 'level' : 'levels'} up]`,
  more: (value) => `… ${plain(value)} more`,
  hole: () => '',
  object: (value) => `[${plain(value)}]`,
  module: () => '[module]',
  unread: (value, all) => notRead(plain(value), all['class']),
  date: plain,
  regexp: (value) => (isJsonArray(value) ? `/${plain(value[0])}/${plain(value[1])}` : ''),
  bytes: (value, all) => `[${plain(all['class'])} of ${plain(value)} bytes]`,
  boxed: (value, all) => `${plain(all['class'])} ${printVariable(value)}`,
  error: plain,
  text: (value, all) => `${JSON.stringify(value)}… ${plain(all['length'])} characters`,
  map: (value, all) => `${plain(all['class'] ?? 'Map')} { ${entriesOf(value).join(', ')} }`,
  set: (value, all) => `${plain(all['class'] ?? 'Set')} ${printVariable(value)}`,
  items: (value, all) => `${all['class'] === undefined ? '' : `${plain(all['class'])} `}${printVariable(value)}`,
}

function notRead(why: string, name: Json | undefined): string {
  if (why === 'values') return '[not read: the limit of values]'
  if (why === 'private') return '[not read: the private fields]'
  if (why === 'native') return name === undefined ? '[native, not read]' : `[${plain(name)}, native, not read]`
  return `[${plain(name)}, not read further]`
}

function printList(items: readonly Json[]): string {
  return items.length === 0 ? '[]' : `[${items.map((item) => printVariable(item)).join(', ')}]`
}

function printFields(fields: readonly (readonly [string, Json])[]): string {
  if (fields.length === 0) return '{}'
  return `{ ${fields.map(([name, value]) => (name === '…' ? printVariable(value) : `${printName(name)}: ${printVariable(value)}`)).join(', ')} }`
}

function printName(name: string): string {
  if (name === '"$"') return '$'
  return /^(?:[#\w$]+|Symbol\(.*\))$/.test(name) ? name : JSON.stringify(name)
}

function entriesOf(value: Json): string[] {
  if (!isJsonArray(value)) return []
  return value.map((entry) => {
    if (!isJsonArray(entry)) return printVariable(entry)
    const [key = null, field = null] = entry
    return `${printVariable(key)} => ${printVariable(field)}`
  })
}

function plain(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}
