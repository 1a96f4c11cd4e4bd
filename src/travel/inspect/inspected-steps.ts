import type { ReplayCalls } from '../../replay/calls/replay-calls.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { displayPath } from '../../node/display-path.ts'
import { isJsonObject, type Json } from '../../trace/json.ts'
import type { FrameRedaction } from './redact-frames.ts'
import type { FramePlace, InspectedFrame, InspectedScope, InspectedStep, WaitingFrame } from './inspected-run.ts'
import type { StepVisit } from './inspect-request.ts'
import type { InspectionHook } from './inspection-hook.ts'
import type { Stop, StoppedCaller, StoppedFrame, StoppedScope } from './stop.ts'

/** A call of the replay, with its step. */
export interface NumberedCall extends Pick<InspectedStep, 'step' | 'boundary' | 'name'>, Pick<StepVisit, 'isExtra'> {
  readonly number: number
}

/**
 * Returns the calls of a replay with their steps. A call that stopped the replay gets the recorded step that it replaced, if there is one. What a
 * stopped agent does after that is left out.
 */
export function numberCalls(calls: ReplayCalls, { outcome, incident, trace }: ReplayedRun): NumberedCall[] {
  const refused = outcome.status === 'stopped' ? calls.all.findIndex(({ planned }) => planned === undefined) : -1
  const made = new Set(calls.all.flatMap(({ planned }) => planned?.call.step ?? []))
  return calls.all.slice(0, refused === -1 ? undefined : refused + 1).map((call, index) => {
    const { number, boundary, name, heldAgainst } = call
    if (index !== refused) return { number, boundary, name, step: calls.numberOf(call) }
    const repeated = incident?.stop?.why === 'repeated' ? incident.incident.at.step : undefined
    const next = trace.steps.find((step) => step.boundary === boundary && step.name === name && !made.has(step.step))
    const replaced = heldAgainst?.call.step ?? repeated
    if (replaced !== undefined) return { number, boundary, name, step: replaced }
    return { number, boundary, name, step: next?.step ?? calls.numberOf(call), isExtra: true }
  })
}

/** Builds the frames of a stop, with redacted variables. */
export class FrameMaker {
  readonly #scopeOf: (number: number) => Variables
  readonly #redaction: FrameRedaction

  /** @param scopeOf Returns the variables of a scope by its number. */
  constructor(scopeOf: (number: number) => Variables, redaction: FrameRedaction) {
    ;[this.#scopeOf, this.#redaction] = [scopeOf, redaction]
  }

  frame(frame: StoppedFrame): InspectedFrame {
    const scopes = mergeScopes(frame.scopes.map((scope) => this.#scope(scope))).filter(({ variables }) => Object.keys(variables).length > 0)
    return { ...placeOf(frame), scopes, ...(frame.unread.length > 0 && { unread: frame.unread }) }
  }

  waiting(frame: StoppedCaller): WaitingFrame {
    return { ...placeOf(frame), how: frame.waits ? 'waits' : 'called' }
  }

  #scope({ kind, number, names }: StoppedScope): InspectedScope {
    const variables = this.#scopeOf(number).flatMap(([name, value]): [string, Json][] =>
      loaderNames.has(name) || (kind === 'module' && name === 'arguments') ? [] : [[names[name] ?? name, value]],
    )
    const told = kind === 'module' ? variables.filter(([, value]) => !isCode(value)) : variables
    return { kind, variables: this.#redaction.redact(Object.fromEntries(told)) }
  }
}

function placeOf({ function: name, at }: Pick<StoppedFrame, 'function' | 'at'>): FramePlace {
  return { function: name, file: displayPath(at.file), line: at.line, column: at.column }
}

type Variables = readonly (readonly [name: string, value: Json])[]

/** Combines what was read at the stops, by step. A secret found in a later step is redacted in earlier steps as well. */
export function inspectedSteps(
  calls: readonly NumberedCall[],
  stops: readonly Stop[],
  hook: InspectionHook,
  redaction: FrameRedaction,
): InspectedStep[] {
  const before = redaction.secrets
  const maker = new FrameMaker((number) => hook.scope(number), redaction)
  const steps = calls.map(({ number, ...call }) => inspectedStep(call, hook.visitOf(number), stops, maker))
  return redaction.secrets === before ? steps : inspectedSteps(calls, stops, hook, redaction)
}

function inspectedStep(
  { step, boundary, name }: Omit<NumberedCall, 'number'>,
  visit: number | undefined,
  stops: readonly Stop[],
  maker: FrameMaker,
): InspectedStep {
  const before = visit === undefined ? undefined : stops.find((stop) => stop.before === visit)
  const after = visit === undefined ? undefined : stops.find((stop) => stop.after === visit)
  return {
    step,
    boundary,
    name,
    frames: before?.frames.map((frame) => maker.frame(frame)) ?? [],
    waiting: before?.waiting.map((frame) => maker.waiting(frame)) ?? [],
    ...(after !== undefined && { after: after.frames.map((frame) => maker.frame(frame)) }),
    ...(before === undefined && { unread: ['No line of the agent leads to this call: a package made it on its own.'] }),
  }
}

/** Returns a step of the trace that the agent did not make in this replay. */
export function unreachedStep(
  step: Pick<ReplayedRun['steps'][number], 'step' | 'boundary' | 'name' | 'owner'>,
  run: ReplayedRun,
): InspectedStep {
  const { boundary, name, owner } = step
  const holder = run.trace.steps.find((each) => each.step === owner)
  const why =
    holder === undefined
      ? 'The agent did not make this call.'
      : `It is inside ${holder.name} (step ${holder.step}), whose function does not run in this replay.`
  return { step: step.step, boundary, name, frames: [], waiting: [], unread: [why] }
}

/** Merges `this`, which was read on its own, into the local scope. */
function mergeScopes(scopes: readonly InspectedScope[]): InspectedScope[] {
  const [first, second, ...others] = scopes
  if (first === undefined || second === undefined) return [...scopes]
  if (!Object.hasOwn(first.variables, 'this') || Object.keys(first.variables).length !== 1) return [...scopes]
  const local = [second, ...others].find(({ kind }) => kind === 'local')
  if (local === undefined) return [...scopes]
  return [second, ...others].map((scope) => (scope === local ? { ...scope, variables: { ...first.variables, ...scope.variables } } : scope))
}

/** Variables that a loader puts around a CommonJS or TypeScript module. */
const loaderNames: ReadonlySet<string> = new Set([
  'exports',
  'require',
  'module',
  '__filename',
  '__dirname',
  'jitiImport',
  'jitiESMResolve',
])

/** Whether a module's variable is code, such as a function or an import, and not state. */
function isCode(value: Json): boolean {
  if (!isJsonObject(value)) return false
  const { $, __esModule: isCompiled } = value
  return isCompiled === true || (isJsonObject($) && ('function' in $ || 'module' in $))
}
