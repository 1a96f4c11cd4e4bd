import { inputPath } from '../../divergence/compare-inputs.ts'
import { normalInput } from '../../divergence/normal-input.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import type { RunPlace } from '../../divergence/run-place.ts'
import type { PathKey } from '../../trace/json.ts'
import { toPath } from '../../trace/path.ts'
import type { CallRow, CheckpointRow, Settled } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import { comparableOutcome, recordedOutcome } from '../judge/comparable-outcome.ts'
import type { ReplayingRun } from '../replaying-run.ts'
import type { DrawnKind, DrawnValue } from '../../divergence/drawn-value.ts'
import { type DifferingStack, framesIn } from '../../divergence/stack-frames.ts'
import { pairedTexts } from '../../divergence/paired-texts.ts'
import type { DrawKind } from '../judge/draws/correspondence.ts'

/** A pair of values that a replay compared with its trace, in recorded form. The replay's value has the replay's stand-ins. */
export interface ComparedValues {
  readonly place: RunPlace
  /** Set for a step. */
  readonly call?: CallRow
  /** Set for a checkpoint. */
  readonly row?: CheckpointRow
  readonly expected: unknown
  readonly received: unknown
}

/** Everything that a replay compared with its trace, equal or not. */
export function comparedValues(trace: Trace, run: ReplayingRun, settled: Settled | undefined): ComparedValues[] {
  return [...inputs(run), ...checkpoints(trace, run), ...outcome(trace, run, settled)]
}

/** The same in compared form, without what rules ignore, and with a function that prints a path as in reports. */
export function normalValues(
  { place, call, expected, received }: ComparedValues,
  rules: PathRules,
): { readonly expected: unknown; readonly received: unknown; readonly pathTo: (keys: readonly PathKey[]) => string } {
  if (call !== undefined) {
    const { boundary, name } = call
    const normal = (input: unknown): unknown => rules.input(boundary, normalInput(boundary, name, input))
    return { expected: normal(expected), received: normal(received), pathTo: (keys) => inputPath(boundary, keys) }
  }
  const normal = (value: unknown): unknown => rules.value(place === 'outcome' ? value : { state: value })
  return { expected: normal(expected), received: normal(received), pathTo: (keys) => toPath(keys, '') }
}

function inputs({ calls }: ReplayingRun): ComparedValues[] {
  return calls.all.flatMap(({ planned, heldAgainst, input }): ComparedValues[] => {
    const call = (planned ?? heldAgainst)?.call
    if (call === undefined || input === undefined) return []
    return [{ place: { step: call.step }, call, expected: toRecorded(call.input), received: input.value }]
  })
}

/** Pairs checkpoints as comparisons do: in order, by owner and name. */
function checkpoints(trace: Trace, run: ReplayingRun): ComparedValues[] {
  const made = run.checkpoints.map((reached) => reached.made)
  return trace.checkpoints.flatMap((row): ComparedValues[] => {
    const { owner, name, state } = row
    const index = made.findIndex((other) => other.owner === owner && other.name === name)
    const [reached] = index === -1 ? [] : made.splice(index, 1)
    if (reached === undefined) return []
    return [{ place: { checkpoint: name }, row, expected: toRecorded(state), received: toRecorded(reached.state) }]
  })
}

function outcome({ end }: Trace, { redaction }: ReplayingRun, settled: Settled | undefined): ComparedValues[] {
  if (end === undefined || settled === undefined) return []
  return [
    { place: 'outcome', expected: recordedOutcome(end, redaction.standIns), received: comparableOutcome(settled, redaction.unrenamed) },
  ]
}

/** The values of a replay that matched its trace only by the correspondence of draws. */
export function drawnValues(trace: Trace, run: ReplayingRun, settled: Settled | undefined): DrawnValue[] {
  // Most runs have none, so nothing is searched.
  if (!run.draws.hasPaired) return []
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected, received, pathTo } = normalValues(values, run.settings.rules)
    return pairedTexts(expected, received).flatMap((text) =>
      run.draws
        .paired(text.expected, text.received)
        .map(({ kind, ...drawn }): DrawnValue => ({ place: values.place, path: pathTo(text.keys), kind: kinds[kind], ...drawn })),
    )
  })
}

/** The stacks of a replay whose frames differ from the recorded ones. */
export function differingStacks(trace: Trace, run: ReplayingRun, settled: Settled | undefined): DifferingStack[] {
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected, received, pathTo } = normalValues(values, run.settings.rules)
    return pairedTexts(expected, received).flatMap((text): DifferingStack[] => {
      if (text.expected === text.received) return []
      const [mine, theirs] = [framesIn(text.expected), framesIn(text.received)]
      if (mine.join('\n') === theirs.join('\n')) return []
      return [{ place: values.place, path: pathTo(text.keys), expected: mine, received: theirs }]
    })
  })
}

const kinds: Readonly<Record<DrawKind, DrawnKind>> = { clock: 'time', random: 'number', uuid: 'id', bytes: 'bytes' }
