import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun } from '../replay/replayed-run.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import type { Limits, Matcher } from './matcher.ts'
import { cannotTell } from './on-whole-run.ts'

const NAME = 'toStayWithin'

/** The run took no more than this. */
export const toStayWithin: Matcher<[limits: Limits]> = (context, run, limits) => {
  const checked = checkLimits(limits)
  const uncounted = checked.some(([name]) => name === 'inputTokens' || name === 'outputTokens') ? callsWithoutUsage(run) : []
  if (uncounted.length > 0) {
    return cannotTell(
      context,
      () =>
        `${NAME} cannot tell how many tokens "${nameOf(run)}" used: no usage was answered at step ${uncounted.join(', ')}. ` +
        'Have the provider report it (for OpenAI streams: stream_options: { include_usage: true }).',
    )
  }
  const used = checked.map(([name, limit]) => ({ name, limit, value: measures[name](run) }))
  const over = used.filter(({ value, limit }) => value > limit)
  return {
    pass: over.length === 0,
    message: () => {
      const lines = (over.length === 0 ? used : over).map(({ name, value, limit }) => `    ${name}  ${value}, with a limit of ${limit}`)
      return [`Expected "${nameOf(run)}" ${over.length === 0 ? 'to exceed a limit' : 'to stay within its limits'}.`, ...lines].join('\n')
    },
  }
}

const measures: Readonly<Record<keyof Limits, (run: ReplayedRun) => number>> = {
  steps: ({ steps }) => steps.length,
  modelCalls: ({ modelCalls }) => modelCalls.length,
  toolCalls: ({ toolCalls }) => toolCalls.length,
  inputTokens: ({ usage }) => usage.inputTokens,
  outputTokens: ({ usage }) => usage.outputTokens,
  virtualMs: ({ virtualMs }) => virtualMs,
}

function checkLimits(limits: Limits): [keyof Limits, number][] {
  if (typeof limits !== 'object' || limits === null)
    throw new OptionsError(NAME, 'limits', `has to be an object of limits, got ${printValue(limits, 60)}.`)
  checkKnownOptions(NAME, limits, Object.keys(measures))
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined) as [keyof Limits, unknown][]
  if (given.length === 0) throw new OptionsError(NAME, 'limits', `has to name at least one of ${Object.keys(measures).join(', ')}.`)
  return given.map(([name, limit]) => {
    if (typeof limit === 'number' && limit >= 0) return [name, limit]
    throw new OptionsError(NAME, name, `has to be a number from 0 on, got ${printValue(limit, 60)}.`)
  })
}

/** Model calls that were answered, and not with an error, of which nobody says how many tokens they used. */
function callsWithoutUsage({ modelCalls }: ReplayedRun): number[] {
  return modelCalls.flatMap(({ step, answer }) =>
    answer !== undefined && answer.error === undefined && answer.usage === undefined ? [step] : [],
  )
}
