import { KnownValues } from './known-values.ts'
import { findStandIns } from './stand-in.ts'

/** What redaction took out of the input of a step: each secret with its stand-in. */
export type TakenSecrets = ReadonlyMap<string, string>

/**
 * The secrets of a step's input that what came of the step repeats. Servers put what they were asked into their errors.
 *
 * @param came Its output or its error, in recorded form.
 * @param hasFailed In an output only what is no plain word counts: a password may be the name of a table.
 * @param standInOf In a replay: the number that stands for a stand-in of this replay in what came from the trace.
 */
export function repeatedSecrets(
  taken: TakenSecrets,
  came: unknown,
  hasFailed: boolean,
  standInOf?: (number: number) => number | undefined,
): string[] {
  const texts = [...textsOf(came)]
  return [...taken].flatMap(([secret, standIn]) => {
    if (!hasFailed && !isDrawnSecret(secret)) return []
    const number = findStandIns(standIn)[0]?.number
    const recorded = number === undefined ? undefined : standInOf?.(number)
    const value = new KnownValues()
    value.add(secret)
    const isIn = (text: string): boolean =>
      value.findIn(text).next().done === false || (recorded !== undefined && findStandIns(text).some((found) => found.number === recorded))
    return texts.some(isIn) ? [secret] : []
  })
}

/** Whether a secret is more than a word. */
export function isDrawnSecret(secret: string): boolean {
  return secret.length >= 6 && /\p{L}/u.test(secret) && /\P{L}/u.test(secret)
}

/** The texts in a value, without names of fields. */
function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
    for (const each of Object.values(value)) yield* textsOf(each)
}
