import type { JsonRecord } from './json-fields.ts'

/** A field by its name in camel case: Google's servers take, and some clients send, snake case as well (`system_instruction`). */
export function fieldOf(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[snakeCase(name)]
}

/** Both spellings of names. */
export function spellings(names: readonly string[]): readonly string[] {
  return names.flatMap((name) => [name, snakeCase(name)])
}

/** A name in snake case; one that is in it already stays. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
