import { secretPatterns } from './secret-patterns.ts'

/** Takes secrets out of what is written down. One for each run: its stand-ins are numbered within the trace. */
export interface Redactor {
  /** Names of the rules that run. */
  readonly rules: readonly string[]
  /** How many stand-ins it has given out. */
  readonly standIns: number
  text(text: string): string
  /** The value with every string in it redacted, keys included; the value itself where nothing had to be. */
  value<Value>(value: Value): Value
}

/**
 * Makes a redactor. A stand-in keeps the vendor's prefix and the length (`sk-proj-REDACTED000…01`), is the same for the same secret within a
 * trace, redacts to itself, and holds nothing of what it stands for.
 */
export function createRedactor(): Redactor {
  const standIns = new Map<string, string>()
  const rules = ['header-allowlist', ...new Set(secretPatterns.map(({ rule }) => rule))]

  const text = (input: string): string => {
    let output = input
    // The shortest secret that any pattern takes.
    if (input.length < 15) return output
    for (const { pattern } of secretPatterns) output = output.replace(pattern, (secret, prefix: string) => standInFor(secret, prefix))
    return output
  }
  const standInFor = (secret: string, prefix: string): string => {
    if (secret.startsWith(`${prefix}REDACTED`)) return secret
    const known = standIns.get(secret)
    if (known !== undefined) return known
    const digits = Math.max(4, secret.length - prefix.length - 'REDACTED'.length)
    const standIn = `${prefix}REDACTED${String(standIns.size + 1).padStart(digits, '0')}`
    standIns.set(secret, standIn)
    return standIn
  }
  const value = (input: unknown): unknown => {
    if (typeof input === 'string') return text(input)
    if (typeof input !== 'object' || input === null || input instanceof Uint8Array) return input
    return Array.isArray(input) ? redactList(input, value) : redactFields(input, value, text)
  }
  return {
    rules,
    get standIns() {
      return standIns.size
    },
    text,
    value: <Value>(input: Value) => value(input) as Value,
  }
}

function redactList(list: readonly unknown[], redact: (value: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const redacted = redact(item)
    if (redacted !== item) (changed ??= [...list])[index] = redacted
  }
  return changed ?? list
}

function redactFields(object: object, redact: (value: unknown) => unknown, redactText: (text: string) => string): object {
  let changed = false
  const fields = Object.entries(object).map(([key, field]): [string, unknown] => {
    const name = redactText(key)
    const redacted = redact(field)
    changed ||= name !== key || redacted !== field
    return [name, redacted]
  })
  return changed ? Object.fromEntries(fields) : object
}
