import { describeFunctionCall } from '../divergence/describe-call.ts'
import { cutText } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { compareValues } from '../divergence/compare-inputs.ts'
import { differenceLines } from '../divergence/report/terminal/difference-lines.ts'
import { createLayout } from '../divergence/report/terminal/layout.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { canonical } from '../trace/hash.ts'
import { type Approval, approvalsOf, isCallOf, placesOf, usualApproval } from './approvals.ts'
import { checkName } from './expected-call.ts'
import type { ApprovalOptions, MatchContext, Matcher } from './matcher-types.ts'

/** Each call of this tool was approved before it was made, with the same arguments, and each approved call was made. */
export const toHaveExecutedAsApproved: Matcher<[name: string, options?: ApprovalOptions]> = (context, run, name, options = {}) => {
  checkName('toHaveExecutedAsApproved', 'name', name)
  const approvals = approvalsOf(run, name, options)
  const calls = callsOf(run, name)
  const problems = [...problemsOf(approvals, calls, context)]
  const isNothing = approvals.length === 0 && calls.length === 0
  return {
    pass: problems.length === 0 && !isNothing,
    message: () => {
      const expectation = `Expected "${nameOf(run)}" ${context.isNot ? 'not ' : ''}to execute ${name} as approved`
      if (isNothing) return `${expectation}, but it was neither approved nor executed.`
      if (problems.length === 0) return `${expectation}, but it did:\n${agreed(approvals, calls, name).join('\n')}`
      const lines = problems.flatMap(({ line, more = [] }) => [cutText(`    ${line(name)}`, context.width), ...more])
      return [`${expectation}.`, ...lines, ...hint(approvals, name, options)].join('\n')
    },
  }
}

/** A call that was made. */
interface Execution {
  readonly step: number
  readonly args: unknown
  readonly at: number
}

interface Problem {
  readonly line: (name: string) => string
  readonly more?: readonly string[]
}

function callsOf(run: ReplayedRun, name: string): Execution[] {
  const steps = run.steps.filter((step) => isCallOf(step, name))
  if (steps.length === 0) return []
  const places = placesOf(run)
  return steps.map(({ step, input }) => ({ step, args: input, at: places.get(step)?.called ?? -1 })).toSorted((a, b) => a.at - b.at)
}

/** The problems, call by call, followed by the approved calls that were never made. An approval is valid for one call. */
function problemsOf(approvals: readonly Approval[], calls: readonly Execution[], context: MatchContext): Problem[] {
  const usedBy = new Map<Approval, Execution>()
  const unapproved: Execution[] = []
  for (const call of calls) {
    const approval = approvals.find((each) => each.isApproved && each.at < call.at && !usedBy.has(each) && isSame(each.args, call.args))
    if (approval === undefined) unapproved.push(call)
    else usedBy.set(approval, call)
  }
  const problems = unapproved.map((call) => problemOf(call, approvals, usedBy, context))
  const unmade = approvals.filter((approval) => approval.isApproved && !usedBy.has(approval))
  return [
    ...problems,
    ...unmade.map(({ place, args }): Problem => ({
      line: (name) => `${place} approved ${describeFunctionCall(name, args)}, which was never executed`,
    })),
  ]
}

/** Why a call has no approval. The nearest approval is reported, and then counts as used. */
function problemOf(
  { step, args, at }: Execution,
  approvals: readonly Approval[],
  usedBy: Map<Approval, Execution>,
  context: MatchContext,
): Problem {
  const executed = (rest: string, more?: readonly string[]): Problem => ({
    line: (name) => `step ${step} executed ${describeFunctionCall(name, args)}${rest}`,
    ...(more && { more }),
  })
  const same = approvals.filter((approval) => isSame(approval.args, args))
  const refused = same.findLast((approval) => !approval.isApproved && approval.at < at)
  if (refused !== undefined) return executed(`, which ${refused.place} refused`)
  const late = same.find((approval) => approval.isApproved && !usedBy.has(approval))
  if (late !== undefined) {
    usedBy.set(late, { step, args, at })
    return executed(`, which ${late.place} approved only afterwards`)
  }
  const used = same.find((approval) => usedBy.has(approval))
  if (used !== undefined) return executed(` again: step ${usedBy.get(used)?.step} had used the approval of ${used.place}`)
  const other = approvals.find((approval) => approval.isApproved && approval.at < at && !usedBy.has(approval))
  if (other === undefined) return executed(' without approval')
  usedBy.set(other, { step, args, at })
  return executed(`, but ${other.place} approved different arguments:`, differencesOf(other.args, args, context))
}

/** Whether two values are the same. Two stand-ins of one run are the same only if they replace the same value. */
function isSame(approved: unknown, made: unknown): boolean {
  return canonical(approved) === canonical(made)
}

function differencesOf(approved: unknown, made: unknown, context: MatchContext): string[] {
  const differences = compareValues(approved, made, 'args')
  return differenceLines(
    differences.length === 0 ? [{ path: 'args', expected: approved, received: made }] : differences,
    createLayout(context, { expected: 'approved', received: 'executed' }),
  )
}

function agreed(approvals: readonly Approval[], calls: readonly Execution[], name: string): string[] {
  const refused = approvals.filter(({ isApproved }) => !isApproved)
  return [
    ...calls.map(({ step, args }) => `    step ${step} executed ${describeFunctionCall(name, args)}, which was approved`),
    ...refused.map(({ place, args }) => `    ${place} refused ${describeFunctionCall(name, args)}, which was not executed`),
  ]
}

/** If no approval was found at all, it may have a different name. */
function hint(approvals: readonly Approval[], name: string, options: ApprovalOptions): string[] {
  if (approvals.length > 0 || options.approved !== undefined) return []
  const { approval = usualApproval } = options
  return [
    `No tool, external or checkpoint named "${approval}" is about ${name}. ` +
      `To name the one that is: toHaveExecutedAsApproved('${name}', { approval: … })`,
  ]
}
