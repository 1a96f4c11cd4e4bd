import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { repeatedSideEffects, sideEffectsOf } from '../trace/side-effects.ts'
import type { CheckpointRow } from '../trace/rows.ts'
import type { Step, Trace } from '../trace/trace.ts'

/**
 * A moment of a recorded run: a step by its number; a turn of the model, retries not counted; the nth call of a tool (default: the first); right after
 * the first checkpoint of a name; or the first side effect, which in a run that repeats a side effect is the first repeated one.
 */
export type ForkPoint =
  | number
  | { readonly turn: number }
  | { readonly tool: string; readonly nth?: number }
  | { readonly checkpoint: string }
  | 'side-effect'

/** The place at which a fork leaves its trace. */
export interface ForkPlace {
  /** The index of the first row that the fork does not follow. */
  readonly place: number
  /** The step at that place. Undefined if the recorded run made no call after it. */
  readonly step: Step | undefined
}

/**
 * Finds a moment in a trace.
 *
 * @param runs Whether a tool's function runs in the replay. A moment inside a function that does not run is moved to the tool's own call.
 * @throws GoldenrunError `GOLDENRUN_FORK_POINT` if the run has no such moment.
 */
export function findForkPoint(trace: Trace, at: ForkPoint, runs: (tool: string) => boolean): ForkPlace {
  if (typeof at === 'object' && 'checkpoint' in at) return afterCheckpoint(trace, at.checkpoint)
  const step = outerStep(trace, stepAt(trace, at), runs)
  return { place: placeOf(trace, step), step }
}

function stepAt(trace: Trace, at: Exclude<ForkPoint, { readonly checkpoint: string }>): Step {
  const { steps } = trace
  if (at === 'side-effect') return firstSideEffect(trace)
  if (typeof at === 'number') {
    return steps.find(({ step }) => step === at) ?? missing(trace, `step ${at}`, `It has ${steps.length} steps.`)
  }
  if ('turn' in at) {
    const turns = steps.filter(({ boundary, attempt }) => boundary === 'model' && attempt === undefined)
    return turns[at.turn - 1] ?? missing(trace, `turn ${at.turn}`, `Its model was called ${turns.length} times, retries not counted.`)
  }
  const { tool, nth = 1 } = at
  const calls = steps.filter(({ boundary, name }) => boundary === 'tool' && name === tool)
  const names = [...new Set(steps.flatMap(({ boundary, name }) => (boundary === 'tool' ? [name] : [])))].join(', ')
  const known =
    calls.length > 0 ? `${tool} was called ${calls.length} times.` : names === '' ? 'It has no calls of tools.' : `Its tools: ${names}.`
  return calls[nth - 1] ?? missing(trace, `call ${nth} of ${tool}`, known)
}

function firstSideEffect(trace: Trace): Step {
  const effects = sideEffectsOf(trace.steps, trace.header)
  const [repeated] = repeatedSideEffects(effects)
  const step = repeated === undefined ? effects[0] : effects.find((effect) => effect.step === repeated.step)
  return step ?? missing(trace, 'side effect', 'None of its steps writes.')
}

function afterCheckpoint(trace: Trace, name: string): ForkPlace {
  const place = trace.rows.findIndex((row) => row.kind === 'checkpoint' && row.by === undefined && row.name === name)
  if (place === -1) {
    return missing(trace, `checkpoint "${name}"`, namesOfCheckpoints(trace.checkpoints))
  }
  const next = trace.rows.find((row, index) => index > place && row.kind === 'call')
  return { place: place + 1, step: next?.kind === 'call' ? trace.steps.find(({ step }) => step === next.step) : undefined }
}

/** Lists the checkpoints that a run reached, as a sentence. */
export function namesOfCheckpoints(checkpoints: readonly CheckpointRow[]): string {
  const names = [...new Set(checkpoints.map(({ name }) => name))].join(', ')
  return names === '' ? 'It has no checkpoints.' : `Its checkpoints: ${names}.`
}

/** Returns the outermost tool around a step whose function does not run; else the step itself. */
function outerStep(trace: Trace, step: Step, runs: (tool: string) => boolean): Step {
  let outer = step
  for (let above = trace.steps.find((other) => other.step === step.owner); above !== undefined;) {
    if (above.boundary === 'tool' && !runs(above.name)) outer = above
    const { owner } = above
    above = trace.steps.find((other) => other.step === owner)
  }
  return outer
}

function placeOf(trace: Trace, { step }: Step): number {
  return trace.rows.findIndex((row) => row.kind === 'call' && row.step === step)
}

function missing(trace: Trace, what: string, known: string): never {
  const { golden, id } = trace.header
  throw new GoldenrunError('GOLDENRUN_FORK_POINT', `The run "${golden?.name ?? id}" has no ${what} to fork at. ${known}`)
}
