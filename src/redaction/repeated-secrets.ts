import { KnownValues } from './known-values.ts'
import type { StandIns } from './stand-in.ts'

/** The secrets that redaction took out of a step's input, each with its stand-in. */
export type TakenSecrets = ReadonlyMap<string, string>

/**
 * Returns the secrets of a step's input that its outcome repeats. Servers quote their input in errors.
 *
 * @param came The step's output or error, in recorded form.
 * @param hasFailed If false, plain words do not count: a password may be the name of a table.
 * @param inReplay In a replay: its stand-ins, and the number that replaces one of them in the trace's outcome.
 */
export function repeatedSecrets(
  taken: TakenSecrets,
  came: unknown,
  hasFailed: boolean,
  inReplay?: { readonly standIns: Pick<StandIns, 'find'>; recordedFor(number: number): number | undefined },
): string[] {
  const texts = [...textsOf(came)]
  return [...taken].flatMap(([secret, standIn]) => {
    if (!hasFailed && !isDrawnSecret(secret)) return []
    const number = inReplay?.standIns.find(standIn)[0]?.number
    const recorded = number === undefined ? undefined : inReplay?.recordedFor(number)
    const value = new KnownValues()
    value.add(secret)
    const isIn = (text: string): boolean =>
      value.findIn(text).length > 0 ||
      (recorded !== undefined && inReplay?.standIns.find(text).some((found) => found.number === recorded) === true)
    return texts.some(isIn) ? [secret] : []
  })
}

/** Returns whether a secret is more than a word. */
export function isDrawnSecret(secret: string): boolean {
  return secret.length >= 6 && /\p{L}/u.test(secret) && /\P{L}/u.test(secret)
}

/** Yields the texts in a value, without field names. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const each of Object.values(value)) yield* textsOf(each)
}
