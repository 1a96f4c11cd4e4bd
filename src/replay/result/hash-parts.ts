import { isSessionStep, leftAfterEnd, toHashParts } from '../../trace/assemble.ts'
import type { HashedCheckpoint, HashedSettling, HashParts } from '../../trace/hash.ts'
import type { Settled } from '../../trace/rows.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import type { ReplayCheckpoint } from '../calls/replay-calls.ts'
import type { ReplayingRun } from '../replaying-run.ts'

/** The parts of a replay's hash: the same as for its trace, with this replay's values. */
export function replayHashParts(trace: Trace, run: ReplayingRun, steps: readonly Step[], outcome: Settled | undefined): HashParts {
  const recorded = toHashParts(trace)
  const bodies = stubbedBodies(trace, run)
  return {
    steps: [...steps, ...trace.steps.filter((step) => bodies.has(step.step) && !isSessionStep(step))],
    settled: settlings(recorded.settled, leftAfterEnd(trace.rows), run, steps, bodies),
    checkpoints: inRecordedOrder(
      recorded.checkpoints,
      checkpointsOf(trace, recorded, run),
      ({ owner }) => bodies.has(owner) || run.calls.isStubbed(owner),
    ),
    ...outcomePart(recorded.outcome, run, outcome),
  }
}

/** Matching checkpoints in recorded form, others in their own form. */
function checkpointsOf(trace: Trace, recorded: HashParts, run: ReplayingRun): HashedCheckpoint[] {
  const moved = new Set(run.findings.places.moved().map(({ recorded: { row } }) => row))
  const held = new Map<ReplayCheckpoint, HashedCheckpoint>()
  for (const [index, hashed] of recorded.checkpoints.entries()) {
    const row = trace.checkpoints[index]
    if (row !== undefined && !moved.has(row)) held.set(row, hashed)
  }
  return run.checkpoints.map(({ hashed: checkpoint, settled }) => {
    const { owner } = checkpoint
    const before = run.calls.settled.slice(0, settled).filter((call) => (call.owner?.planned?.call.step ?? 0) === owner)
    return held.get(checkpoint) ?? { ...checkpoint, settled: before.length }
  })
}

/** If the run ended as recorded, ignored parts of its outcome may still differ. */
function outcomePart(
  recorded: HashParts['outcome'],
  { findings, redaction }: ReplayingRun,
  outcome: Settled | undefined,
): Pick<HashParts, 'outcome'> {
  if (findings.outcomeHolds && recorded !== undefined) return { outcome: recorded }
  if (outcome === undefined) return {}
  return { outcome: 'error' in outcome ? { error: redaction.toError(outcome.error) } : { output: redaction.toRead(outcome.output) } }
}

/**
 * The order in which steps settled. Steps in the body of a tool that did not run keep their recorded places, because the tool's answer
 * represents them. The other places are filled in the order of this replay.
 */
function settlings(
  recorded: readonly HashedSettling[],
  leftLate: ReadonlySet<number>,
  run: ReplayingRun,
  steps: readonly Step[],
  bodies: ReadonlySet<number>,
): HashedSettling[] {
  const byNumber = new Map(steps.map((step) => [step.step, step]))
  const original = new Map(recorded.map((settling) => [settling.step, settling]))
  const replayed = run.calls.settled.flatMap((call): HashedSettling[] => {
    const number = run.calls.numberOf(call)
    const step = byNumber.get(number)
    const known = call.runs ? undefined : original.get(number)
    if (known !== undefined) return [known]
    if (step === undefined || (leftLate.has(number) && call.outcome === undefined)) return []
    const { output, error } = step
    return [{ step: number, output: run.redaction.toRead(output), ...(error && { error: run.redaction.redactError(error) }) }]
  })
  return inRecordedOrder(recorded, replayed, ({ step }) => bodies.has(step))
}

/** Items from bodies that did not run keep their places; the other places are filled in the order of this replay. */
function inRecordedOrder<Item>(recorded: readonly Item[], replayed: readonly Item[], isOfBody: (item: Item) => boolean): Item[] {
  const left = [...replayed]
  return [...recorded.flatMap((item) => (isOfBody(item) ? [item] : left.splice(0, 1))), ...left]
}

/** The steps in the body of a tool that was called, but whose function did not run. */
function stubbedBodies(trace: Trace, run: ReplayingRun): Set<number> {
  const bodies = new Set<number>()
  for (const { step, owner } of trace.steps) if (bodies.has(owner) || (owner !== 0 && run.calls.isStubbed(owner))) bodies.add(step)
  return bodies
}
