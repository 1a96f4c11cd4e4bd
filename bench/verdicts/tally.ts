import type { Metrics } from '../figures.ts'
import type { JudgedRun } from './judge-mutants.ts'

/** What the mutated runs come to. */
export function toMetrics(runs: readonly JudgedRun[]): Metrics {
  const harmful = runs.filter(({ expected }) => expected !== undefined)
  const benign = runs.filter(({ expected }) => expected === undefined)
  const alarms = benign.filter(({ found }) => found !== undefined).length
  const share = (of: (run: JudgedRun) => boolean): number => harmful.filter(of).length / harmful.length
  const atLeast = { unit: 'of 1', better: 'more' } as const
  return {
    mutations: { value: runs.length, unit: 'runs', goal: 2000, better: 'more', against: `${countOf(runs)} mutations of two agents` },
    harmful_runs: { value: harmful.length, unit: 'runs', against: 'those that the world around the agent can tell from the recorded run' },
    harmful_detected: { ...atLeast, value: share(({ found }) => found !== undefined), goal: 1 },
    first_step_right: { ...atLeast, value: share(hasRightStep), goal: 1 },
    cause_right: { ...atLeast, value: share(hasRightCause), goal: 0.99, against: 'with the part of the input, where it is one' },
    benign_runs: { value: benign.length, unit: 'runs' },
    benign_false_alarms: { value: alarms, unit: 'runs', goal: 0 },
  }
}

/** What the tests of another come to, over the runs that it could record. */
export function toPeerMetrics(runs: readonly JudgedRun[], name: string, packageName: string): Metrics {
  const tried = runs.filter(({ others }) => name in others)
  const harmful = tried.filter(({ expected }) => expected !== undefined)
  const benign = tried.filter(({ expected }) => expected === undefined)
  const red = (some: readonly JudgedRun[]): number => some.filter(({ others }) => others[name] === true).length
  return {
    [`${name}_harmful_detected`]: {
      value: red(harmful) / harmful.length,
      unit: 'of 1',
      against: `${packageName}: ${red(harmful)} of ${harmful.length} harmful runs red`,
    },
    [`${name}_benign_false_alarms`]: { value: red(benign), unit: 'runs', against: `of ${benign.length} benign runs` },
  }
}

/** A row for each kind of mutation: how often it was tried, how often it did harm, and what was said of that. */
export function toRows(runs: readonly JudgedRun[], peers: readonly string[]): string[][] {
  const kinds = [...new Set(runs.map(({ mutation }) => mutation.kind))]
  const head = ['mutation', 'runs', 'harmful', 'red', 'step right', 'cause right', 'false alarms', ...peers.map((name) => `${name}: red`)]
  return [
    head,
    ...kinds.map((kind) =>
      toRow(
        kind,
        runs.filter(({ mutation }) => mutation.kind === kind),
        peers,
      ),
    ),
  ]
}

function toRow(kind: string, runs: readonly JudgedRun[], peers: readonly string[]): string[] {
  const harmful = runs.filter(({ expected }) => expected !== undefined)
  const count = (of: (run: JudgedRun) => boolean): string => (harmful.length === 0 ? '' : String(harmful.filter(of).length))
  const alarms = runs.filter(({ expected, found }) => expected === undefined && found !== undefined).length
  return [
    kind,
    String(runs.length),
    String(harmful.length),
    count(({ found }) => found !== undefined),
    count(hasRightStep),
    count(hasRightCause),
    String(alarms),
    ...peers.map((name) => {
      const tried = runs.filter(({ others }) => name in others)
      return tried.length === 0 ? '' : `${tried.filter(({ others }) => others[name] === true).length} of ${tried.length}`
    }),
  ]
}

/** The runs of which goldenrun says something else than the world, one line each. */
export function toMistakes(runs: readonly JudgedRun[]): string[] {
  const wrong = runs.filter(
    (run) =>
      (run.expected === undefined) !== (run.found === undefined) ||
      (run.expected !== undefined && !(hasRightStep(run) && hasRightCause(run))),
  )
  return wrong.map(({ mutation, scene, expected, found }) => {
    const show = (difference: JudgedRun['found']): string =>
      difference === undefined
        ? 'green'
        : `${difference.cause} ${difference.position} step ${difference.step} ${difference.parts.join(' ')}`.trimEnd()
    return `${mutation.kind}, ${mutation.name}, in ${scene}: the world says ${show(expected)}, goldenrun ${show(found)}`
  })
}

function hasRightStep({ expected, found }: JudgedRun): boolean {
  return found !== undefined && found.step === expected?.step && found.position === expected.position
}

function hasRightCause({ expected, found }: JudgedRun): boolean {
  if (found === undefined || found.cause !== expected?.cause) return false
  return (
    expected.cause !== 'input' ||
    (expected.parts.length === found.parts.length && expected.parts.every((part) => found.parts.includes(part)))
  )
}

function countOf(runs: readonly JudgedRun[]): number {
  return new Set(runs.map(({ mutation }) => mutation)).size
}
