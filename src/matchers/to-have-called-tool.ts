import { describeFunctionCall } from '../divergence/describe-call.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { describeCalls, numberedList } from './call-list.ts'
import { checkName, describeExpected, isExpected } from './expected-call.ts'
import type { MatchContext, Matcher } from './matcher-types.ts'
import { nearest } from './mismatches.ts'

/** The agent called this tool, with at least these arguments. */
export const toHaveCalledTool: Matcher<[name: string, args?: unknown]> = (context, run, name, args) => {
  checkName('toHaveCalledTool', 'name', name)
  const calls = run.toolCalls.filter((call) => call.name === name)
  const found = calls.find((call) => isExpected(context, { name, args }, call))
  return {
    pass: found !== undefined,
    message: () => {
      const wanted = describeExpected({ name, args })
      if (found !== undefined) {
        return `Expected "${nameOf(run)}" not to call ${wanted}, but at step ${found.step} it called ${describeFunctionCall(name, found.args)}.`
      }
      const expectation = `Expected "${nameOf(run)}" to call ${wanted}.`
      return `${expectation} ${calls.length === 0 ? otherCalls(run, context) : nearCalls(calls, args, context)}`
    },
  }
}

function otherCalls({ toolCalls }: ReplayedRun, { width }: MatchContext): string {
  if (toolCalls.length === 0) return 'It called no tools.'
  return `It called:\n${numberedList(describeCalls(toolCalls), new Map(), width)}`
}

/** Calls of the tool with different arguments, and how the most similar one differs. */
function nearCalls(calls: ReplayedRun['toolCalls'], args: unknown, context: MatchContext): string {
  const given = calls.map((call) => call.args)
  const near = nearest(context, given, args)
  if (near === undefined) return ''
  return [
    `It called it with different arguments:`,
    numberedList(describeCalls(calls), new Map(), context.width),
    `Step ${calls[near.index]?.step} differs in:`,
    ...context.difference(near.value, args),
  ].join('\n')
}
