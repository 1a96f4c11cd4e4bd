import type { Metrics } from '../figures.ts'
import type { Verdict } from './oracle/expected-verdict.ts'
import type { TriedRun } from './try-mutants.ts'

/** Converts the mutated runs to metrics. */
export function toMetrics(runs: readonly TriedRun[]): Metrics {
  const { harmful, benign, undecided } = sort(runs)
  const share = (of: (run: TriedRun) => boolean): number => harmful.filter(of).length / harmful.length
  const atLeast = { unit: 'of 1', better: 'more' } as const
  const drifting = benign.filter(({ mutation: { expected } }) => expected.is === 'benign' && expected.drift)
  const called = harmful.filter(hasCall)
  const count = (of: (run: TriedRun) => string): number => new Set(runs.map(of)).size
  return {
    mutations: {
      value: runs.length,
      unit: 'runs',
      goal: 4000,
      better: 'more',
      against: `${new Set(runs.map(({ mutation }) => mutation)).size} mutations of ${count(({ subject }) => subject)} agents`,
    },
    mutation_kinds: { value: count(({ mutation }) => mutation.kind), unit: 'kinds', goal: 60, better: 'more' },
    harmful_runs: { value: harmful.length, unit: 'runs', against: 'declared before the run, and seen by the world around the agent' },
    harmful_detected: { ...atLeast, value: share(({ found }) => found !== undefined), goal: 1 },
    first_step_right: { ...atLeast, value: share(hasRightStep), goal: 0.99 },
    cause_right: { ...atLeast, value: share(hasRightCause), goal: 0.99, against: 'with the part of the input, where it is one' },
    line_right: {
      ...atLeast,
      value: called.filter(({ namedFile }) => namedFile === 'own').length / called.length,
      goal: 0.99,
      against: `of ${called.length} red runs that have a call: a line of the agent's own files`,
    },
    benign_runs: { value: benign.length, unit: 'runs' },
    benign_false_alarms: { value: benign.filter(({ found }) => found !== undefined).length, unit: 'runs', goal: 0 },
    drift_said: {
      ...atLeast,
      value: drifting.filter(({ drifted }) => drifted).length / drifting.length,
      goal: 1,
      against: `of ${drifting.length} benign runs in which the contract of a tool is another`,
    },
    undecided_runs: {
      value: undecided.length,
      unit: 'runs',
      against: `of which ${undecided.filter(({ found }) => found !== undefined).length} are red; counted in none of the shares above`,
    },
  }
}

/** Converts the results of a peer's tests to metrics, over the runs that it could record. */
export function toPeerMetrics(runs: readonly TriedRun[], name: string, packageName: string): Metrics {
  const { harmful, benign } = sort(runs.filter(({ others }) => name in others))
  const red = (some: readonly TriedRun[]): number => some.filter(({ others }) => others[name] === true).length
  return {
    [`${name}_harmful_detected`]: {
      value: red(harmful) / harmful.length,
      unit: 'of 1',
      against: `${packageName}: ${red(harmful)} of ${harmful.length} harmful runs red`,
    },
    [`${name}_benign_false_alarms`]: { value: red(benign), unit: 'runs', against: `of ${benign.length} benign runs` },
  }
}

/** Returns a row per kind of mutation: how often it was tried, how often it did harm, and what the verdicts on it were. */
export function toRows(runs: readonly TriedRun[], peers: readonly string[]): string[][] {
  const kinds = Map.groupBy(runs, ({ mutation }) => mutation.kind)
  const head = ['mutation', 'runs', 'harmful', 'red', 'step right', 'cause right', 'no own line', 'false alarms', 'undecided']
  return [[...head, ...peers.map((name) => `${name}: red`)], ...[...kinds].map(([kind, some]) => toRow(kind, some, peers))]
}

function toRow(kind: string, runs: readonly TriedRun[], peers: readonly string[]): string[] {
  const { harmful, benign, undecided } = sort(runs)
  const count = (of: (run: TriedRun) => boolean): string => (harmful.length === 0 ? '' : String(harmful.filter(of).length))
  return [
    kind,
    String(runs.length),
    String(harmful.length),
    count(({ found }) => found !== undefined),
    count(hasRightStep),
    count(hasRightCause),
    count((run) => hasCall(run) && run.namedFile !== 'own'),
    benign.length === 0 ? '' : String(benign.filter(({ found }) => found !== undefined).length),
    undecided.length === 0 ? '' : String(undecided.length),
    ...peers.map((name) => {
      const tried = runs.filter(({ others }) => name in others)
      return tried.length === 0 ? '' : `${tried.filter(({ others }) => others[name] === true).length} of ${tried.length}`
    }),
  ]
}

/** Lists the mutations for which goldenrun's verdict differs from the declaration: one line each, with the first such run as an example. */
export function toMistakes(runs: readonly TriedRun[]): string[] {
  const wrong = runs.filter((run) => run.mutation.expected.is !== 'undecided' && !isRight(run))
  const mutations = Map.groupBy(
    wrong,
    ({ mutation, expected, found }) => `${mutation.kind}, ${mutation.name} ${sayCause(expected)} ${sayCause(found)}`,
  )
  return [...mutations.values()].map((some) => {
    const [{ mutation, subject, scene, expected, found }] = some as [TriedRun]
    return `${subject}: ${mutation.kind}, ${mutation.name}: declared ${say(expected)}, goldenrun says ${say(found)} (${scene}${some.length > 1 ? ` and ${some.length - 1} more` : ''})`
  })
}

function isRight(run: TriedRun): boolean {
  return run.expected === undefined ? run.found === undefined : hasRightStep(run) && hasRightCause(run)
}

function sayCause(verdict: Verdict | undefined): string {
  return verdict === undefined ? 'green' : [verdict.cause, ...verdict.parts].join(' ')
}

function say(verdict: Verdict | undefined): string {
  return verdict === undefined ? 'green' : `${sayCause(verdict)} ${verdict.position} step ${verdict.step}`
}

function hasRightStep({ expected, found }: TriedRun): boolean {
  return found !== undefined && found.step === expected?.step && found.position === expected.position
}

function hasRightCause({ expected, found }: TriedRun): boolean {
  if (found === undefined || found.cause !== expected?.cause) return false
  if (expected.parts.length === 0) return true
  return expected.parts.length === found.parts.length && expected.parts.every((part) => found.parts.includes(part))
}

/** Lists the runs whose report names no line of the agent: one line for each mutation and cause. */
export function toLinelessRuns(runs: readonly TriedRun[]): string[] {
  const lineless = runs.filter((run) => hasCall(run) && run.namedFile !== 'own')
  const mutations = Map.groupBy(lineless, ({ subject, mutation, found }) => `${subject}: ${mutation.kind}, ${mutation.name}, ${say(found)}`)
  return [...mutations].map(([what, some]) => `${what}: no line of the agent (${some.length} ${some.length === 1 ? 'run' : 'runs'})`)
}

/** Whether a red run differs in a call, rather than in a checkpoint, the outcome or a contact. */
function hasCall({ found }: TriedRun): boolean {
  return found !== undefined && ['input', 'unexpected-call', 'missing-call', 'order', 'time-limit', 'model-drift'].includes(found.cause)
}

/** Groups the runs by their declarations. */
function sort(runs: readonly TriedRun[]): Record<'harmful' | 'benign' | 'undecided', readonly TriedRun[]> {
  const isUndecided = ({ mutation }: TriedRun): boolean => mutation.expected.is === 'undecided'
  return {
    harmful: runs.filter(({ expected }) => expected !== undefined),
    benign: runs.filter((run) => run.expected === undefined && !isUndecided(run)),
    undecided: runs.filter(isUndecided),
  }
}
