import { isReserved, type PathKey } from '../trace/json.ts'
import { fieldNames, isFields, ownField } from './same-value.ts'

/** A text or number of a recorded value, and its counterpart in the replay. */
export interface PairedText {
  readonly keys: readonly PathKey[]
  readonly expected: string
  readonly received: string
}

/** The texts and numbers that two values in recorded form have at the same places. */
export function pairedTexts(expected: unknown, received: unknown, keys: readonly PathKey[] = []): PairedText[] {
  const [one, other] = [printed(expected), printed(received)]
  if (one !== undefined && other !== undefined) return [{ keys, expected: one, received: other }]
  if (Array.isArray(expected) && Array.isArray(received)) {
    return expected.flatMap((item, index) => pairedTexts(item, received[index], [...keys, index]))
  }
  if (!isFields(expected) || !isFields(received)) return []
  return fieldNames(expected, received).flatMap((name) =>
    pairedTexts(ownField(expected, name), ownField(received, name), isReserved(expected) ? keys : [...keys, name]),
  )
}

function printed(value: unknown): string | undefined {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}
