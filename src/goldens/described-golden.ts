import { nearestNames } from '../replay/traces/nearest-names.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { printable } from '../trace/printable.ts'
import type { Golden } from '../trace/run-row.ts'
import type { Trace } from '../trace/trace.ts'

/** A golden that tests are described for. */
export interface DescribedGolden<Input = unknown> extends Golden {
  /** The agent's input. */
  readonly input: Input
}

/** Creates the error for a pattern that matches no golden of a directory. */
export function noGoldenMatches(pattern: string, names: readonly string[], directory: string): GoldenrunError {
  const nearest = nearestNames(pattern, names)
  const hint = nearest.length === 0 ? 'The directory has none.' : `The nearest are: ${nearest.join(', ')}.`
  return new GoldenrunError('GOLDENRUN_TRACE_NOT_FOUND', `No golden trace in ${displayPath(directory)} matches "${pattern}". ${hint}`)
}

/** Converts a trace to the golden that is passed to the body of `describeGolden`. */
export function describeTrace<Input>({ header }: Trace, name: string): DescribedGolden<Input> {
  const { golden = { name, expect: { replay: 'same' }, promotedAt: '', promotedFrom: header.id }, input } = header
  return { ...golden, input: input as Input }
}

/** Returns the title of a golden's tests: its name and description. */
export function titleOf({ name, description }: Pick<Golden, 'name' | 'description'>): string {
  return printable((description === undefined ? name : `${name}: ${description}`).replaceAll(/\s+/g, ' ').trim())
}

/** Creates a lazy promise: the value is made when it is first awaited. */
export function onceAsked<Value>(make: () => Promise<Value>): PromiseLike<Value> {
  let made: Promise<Value> | undefined
  // oxlint-disable-next-line unicorn/no-thenable -- a golden of which no test runs is not to be replayed
  return { then: (fulfilled, rejected) => (made ??= make()).then(fulfilled, rejected) }
}
