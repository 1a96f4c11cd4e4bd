import { printValue } from '../divergence/print-value.ts'
import { type Fields, isFields } from '../divergence/same-value.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import { parseJson } from '../trace/json.ts'
import { printable } from '../trace/printable.ts'
import type { Step } from '../trace/trace.ts'
import { checkName } from './expected-call.ts'
import type { ApprovalOptions, Approved } from './matcher-types.ts'

/** A call that a person approved or refused. */
export interface Approval {
  readonly args: unknown
  readonly isApproved: boolean
  /** As printed: `step 3`, `checkpoint "approved"`, `the run's input`. */
  readonly place: string
  /** When it was given: the index of its row, or -1 before the run. */
  readonly at: number
}

const MATCHER = 'toHaveExecutedAsApproved'

/** The tool, external or checkpoint that approves, if the assertion names none. */
export const usualApproval = 'approval'

/**
 * The approvals of a tool's calls, in the order in which they were given.
 *
 * @throws OptionsError for unknown options, and for an answer that neither approves nor refuses.
 */
export function approvalsOf(run: ReplayedRun, tool: string, options: ApprovalOptions): Approval[] {
  checkKnownOptions(MATCHER, options, ['approval', 'approved'])
  const { approval = usualApproval, approved } = options
  if (approved === undefined) {
    checkName(MATCHER, 'approval', approval)
    return [...askedSteps(run, approval, tool), ...checkpointsOf(run, approval, tool)].toSorted((a, b) => a.at - b.at)
  }
  if (options.approval !== undefined) throw new OptionsError(MATCHER, 'approved', 'replaces "approval". Give one of the two.')
  return toldBy(run, approved).toSorted((a, b) => a.at - b.at)
}

/** Where each step started and settled: the indices of its rows. */
export function placesOf(run: ReplayedRun): ReadonlyMap<number, { readonly called: number; readonly settled: number }> {
  const places = new Map<number, { called: number; settled: number }>()
  for (const [index, row] of run.toTrace().rows.entries()) {
    if (row.kind === 'call') places.set(row.step, { called: index, settled: Infinity })
    const place = row.kind === 'return' || row.kind === 'throw' ? places.get(row.step) : undefined
    if (place !== undefined) place.settled = index
  }
  return places
}

/** Whether a step is a call of a wrapped tool, or an external, of this name. */
export function isCallOf({ boundary, name }: Step, wanted: string): boolean {
  return (boundary === 'tool' || boundary === 'external') && name === wanted
}

function askedSteps(run: ReplayedRun, approval: string, tool: string): Approval[] {
  const steps = run.steps.filter((step) => isCallOf(step, approval))
  if (steps.length === 0) return []
  const places = placesOf(run)
  return steps.flatMap((step): Approval[] => {
    const asked = readAsked(step.input)
    if (asked.tool !== undefined && asked.tool !== tool) return []
    const at = places.get(step.step)?.settled ?? Infinity
    return [{ args: asked.args, place: `step ${step.step}`, at, ...readAnswer(step) }]
  })
}

function checkpointsOf(run: ReplayedRun, approval: string, tool: string): Approval[] {
  if (!run.checkpoints.some(({ name }) => name === approval)) return []
  return run.toTrace().rows.flatMap((row, at): Approval[] => {
    if (row.kind !== 'checkpoint' || row.by === 'policy' || row.name !== approval) return []
    const asked = readAsked(row.state)
    if (asked.tool !== undefined && asked.tool !== tool) return []
    const isApproved = !isFields(row.state) || row.state['approved'] !== false
    return [{ args: asked.args, isApproved, place: `checkpoint "${approval}"`, at }]
  })
}

/** The call that a person is asked about: `{ tool, args }`, a name and arguments, or the arguments alone. */
function readAsked(input: unknown): { readonly tool?: string; readonly args: unknown } {
  if (Array.isArray(input) && input.length === 2 && typeof input[0] === 'string') return { tool: input[0], args: input[1] as unknown }
  if (!isFields(input)) return { args: input }
  const tool = fieldOf(input, ['tool', 'toolName', 'name'])
  const args = fieldOf(input, ['args', 'arguments', 'input'])
  return typeof tool === 'string' && args !== undefined ? { tool, args: readText(args) } : { args: input }
}

function fieldOf(fields: Fields, names: readonly string[]): unknown {
  const name = names.find((candidate) => Object.hasOwn(fields, candidate))
  return name === undefined ? undefined : fields[name]
}

/** A model passes a tool's arguments as JSON text. */
function readText(args: unknown): unknown {
  const read = typeof args === 'string' ? parseJson(args) : undefined
  return read === undefined ? args : read
}

/** A call that failed or is still waiting approves nothing. A person may approve arguments that differ from the proposed ones. */
function readAnswer({ step, name, output, error, settledAt }: Step): { readonly isApproved: boolean; readonly args?: unknown } {
  if (error !== undefined || settledAt === undefined) return { isApproved: false }
  if (typeof output === 'boolean') return { isApproved: output }
  if (isFields(output) && typeof output['approved'] === 'boolean') {
    return { isApproved: output['approved'], ...(output['args'] !== undefined && { args: output['args'] }) }
  }
  throw new OptionsError(
    MATCHER,
    'approval',
    `names ${printable(name)}, whose answer at step ${step} is neither true or false nor { approved: true } or { approved: false }: ` +
      `${printValue(output, 60)}. Read its answers with approved: (run) => [{ args, step }].`,
  )
}

function toldBy(run: ReplayedRun, approved: unknown): Approval[] {
  if (typeof approved !== 'function')
    throw new OptionsError(MATCHER, 'approved', `has to be a function of the run, got ${printValue(approved, 60)}.`)
  const told: unknown = Reflect.apply(approved, undefined, [run])
  const places = placesOf(run)
  if (!Array.isArray(told)) throw notApproved(told)
  return told.map((each: unknown): Approval => {
    if (!isFields(each) || !Object.hasOwn(each, 'args')) throw notApproved(each)
    const { args, step } = each as Partial<Approved>
    if (step === undefined) return { args, isApproved: true, place: "the run's input", at: -1 }
    const place = places.get(step)
    if (place === undefined) throw new OptionsError(MATCHER, 'approved', `names step ${printValue(step, 60)}, which the run does not have.`)
    return { args, isApproved: true, place: `step ${step}`, at: place.settled }
  })
}

function notApproved(told: unknown): OptionsError {
  return new OptionsError(MATCHER, 'approved', `has to return a list of { args, step? }, got ${printValue(told, 60)}.`)
}
