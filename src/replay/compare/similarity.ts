import { canonical } from '../../trace/hash.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import { addressOfRequest } from '../../trace/side-effects.ts'
import type { Trace } from '../../trace/trace.ts'
import { modelCallsOf } from '../traces/model-calls.ts'
import { toolCallsOf } from '../traces/tool-calls.ts'

/** A call of a run, with what makes the run similar to another one. */
export interface ComparableCall {
  readonly step: number
  /** A tool's or external's name, or a request's method and address. */
  readonly name: string
  /** Its name, its arguments and its result, each as a text: `refund(order.id="o1")`. */
  readonly features: ReadonlySet<string>
}

/** Two runs, aligned by their calls. */
export interface Alignment {
  /** From 0 (nothing in common) to 1 (the same calls in the same order). */
  readonly score: number
  /** The steps that were aligned, in order. */
  readonly pairs: readonly AlignedPair[]
}

/** Two calls with the same name. */
export interface AlignedPair {
  readonly a: number
  readonly b: number
  /** What they have in common, by weight. */
  readonly shared: number
}

/** Later calls of a long run are left out: the cost of an alignment is the product of both runs' numbers of calls. */
const maxCalls = 400

/** How many leaves of a result count. */
const maxResult = 200

/** How many words of a text count. */
const maxWords = 200

/** The calls that make runs similar: tools and externals, tools that a model only asked for, and the run's own requests. */
export function comparableCalls({ steps }: Trace): ComparableCall[] {
  const tools = toolCallsOf(steps, modelCallsOf(steps)).map(({ step, name, args, output }) => ({
    step,
    name,
    features: featuresOf(name, args, output),
  }))
  const others = steps.flatMap(({ step, boundary, name, owner, input, output }) => {
    if (owner !== 0) return []
    if (boundary === 'external') return [{ step, name, features: featuresOf(name, input, output) }]
    if (boundary !== 'http') return []
    const { method, url, json } = input as HttpInput
    const address = addressOfRequest(method, url)
    return [{ step, name: address, features: featuresOf(address, json, (output as HttpOutput | undefined)?.json) }]
  })
  return [...tools, ...others].toSorted((one, other) => one.step - other.step).slice(0, maxCalls)
}

/**
 * Measures how similar runs are. A feature that few runs have weighs more than one that most have, by the logarithm of their number, like
 * words in a search. An argument or result that only one run has does not count.
 *
 * @see K. Spärck Jones, Journal of Documentation 28 (1972) 11-21
 */
export class Similarity {
  readonly #weights = new Map<string, number>()

  /** @param runs The calls of every run that is compared. */
  constructor(runs: readonly (readonly ComparableCall[])[]) {
    const counts = new Map<string, number>()
    for (const calls of runs) {
      for (const feature of new Set(calls.flatMap(({ features }) => [...features]))) counts.set(feature, (counts.get(feature) ?? 0) + 1)
    }
    const names = new Set(runs.flatMap((calls) => calls.map(({ name }) => name)))
    for (const [feature, count] of counts) {
      if (count > 1 || names.has(feature)) this.#weights.set(feature, Math.log((runs.length + 1) / count))
    }
  }

  /**
   * Aligns the calls of two runs, in order, so that the paired calls have as much in common as possible. Calls with different names are never
   * paired.
   *
   * @see S. B. Needleman, C. D. Wunsch, Journal of Molecular Biology 48 (1970) 443-453; without a penalty for gaps
   */
  align(a: readonly ComparableCall[], b: readonly ComparableCall[]): Alignment {
    const shared = a.map((one) => b.map((other) => this.#shared(one, other)))
    const best = bestSums(shared, a.length, b.length)
    const [ofA = 0, ofB = 0] = [a, b].map((calls) => calls.reduce((sum, { features }) => sum + this.#weigh(features), 0))
    return { score: ofA * ofB === 0 ? 0 : best(0, 0) / Math.sqrt(ofA * ofB), pairs: pathOf(a, b, shared, best) }
  }

  #weigh(features: Iterable<string>): number {
    let sum = 0
    for (const feature of features) sum += this.#weights.get(feature) ?? 0
    return sum
  }

  #shared(one: ComparableCall, other: ComparableCall): number {
    return one.name === other.name ? this.#weigh([...one.features].filter((feature) => other.features.has(feature))) : 0
  }
}

type Sums = (row: number, column: number) => number

/** The best possible sum of the pairs from each place on. */
function bestSums(shared: readonly (readonly number[])[], rows: number, columns: number): Sums {
  const width = columns + 1
  const best = new Float64Array((rows + 1) * width)
  const at: Sums = (row, column) => best[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const paired = at(row + 1, column + 1) + (shared[row]?.[column] ?? 0)
      best[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1))
    }
  }
  return at
}

function pathOf(
  a: readonly ComparableCall[],
  b: readonly ComparableCall[],
  shared: readonly (readonly number[])[],
  best: Sums,
): readonly AlignedPair[] {
  const pairs: AlignedPair[] = []
  let [row, column] = [0, 0]
  for (;;) {
    const [one, other, weight = 0] = [a[row], b[column], shared[row]?.[column]]
    if (one === undefined || other === undefined) return pairs
    if (weight > 0 && best(row, column) === best(row + 1, column + 1) + weight) {
      pairs.push({ a: one.step, b: other.step, shared: weight })
      row += 1
      column += 1
    } else if (best(row, column) === best(row + 1, column)) row += 1
    else column += 1
  }
}

/**
 * The features of a call: its name, and the leaves of its arguments and its result with their paths. Indices in lists do not count. Texts
 * count by their words, because no two texts are written alike.
 */
function featuresOf(name: string, args: unknown, result: unknown): ReadonlySet<string> {
  const given = leavesOf(args, '').map((leaf) => `${name}(${leaf})`)
  const got = leavesOf(result, '').map((leaf) => `${name} → ${leaf}`)
  return new Set([name, ...given, ...got.slice(0, maxResult)])
}

function leavesOf(value: unknown, path: string): string[] {
  if (typeof value === 'string' && /\s/.test(value.trim())) return wordsOf(value)
  if (typeof value !== 'object' || value === null) return value === undefined ? [] : [`${path}=${canonical(value)}`]
  const entries = Array.isArray(value) ? value.map((item): [string, unknown] => ['*', item]) : Object.entries(value)
  return entries.flatMap(([key, inner]) => leavesOf(inner, path === '' ? key : `${path}.${key}`))
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, maxWords)
}
