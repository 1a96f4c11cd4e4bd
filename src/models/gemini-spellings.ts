import type { JsonRecord } from './json-fields.ts'

/** Returns a field by its name in camel case: Google's servers accept snake case as well (`system_instruction`), and some clients send it. */
export function fieldOf(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[snakeCase(name)]
}

/** Returns both spellings of names. */
export function spellings(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, snakeCase(name)])
}

/** Returns a name in snake case; a name that is already in snake case stays. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
