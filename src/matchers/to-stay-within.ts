import { printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { costOf, type Price } from '../models/cost.ts'
import type { NormalAnswer, NormalRequest } from '../models/dialect.ts'
import type { ModelCall, ReplayedRun } from '../replay/contract/replayed-run.ts'
import { checkKnownOptions, OptionsError } from '../trace/errors/options-error.ts'
import type { Limits, Matcher } from './matcher-types.ts'
import { cannotTell } from './on-whole-run.ts'

const NAME = 'toStayWithin'

/** The run took no more than this. */
export const toStayWithin: Matcher<[limits: Limits]> = (context, run, limits) => {
  const checked = checkLimits(limits)
  const prices = limits.prices ?? {}
  const unknown = checked.map(([name]) => cannotMeasure(name, run, prices)).find((why) => why !== undefined)
  if (unknown !== undefined) return cannotTell(context, () => `${NAME} cannot tell ${unknown}`)
  const used = checked.map(([name, limit]) => ({ name, limit, value: measures[name](run, prices) }))
  const over = used.filter(({ value, limit }) => value > limit)
  return {
    pass: over.length === 0,
    message: () => {
      const lines = (over.length === 0 ? used : over).map(({ name, value, limit }) => `    ${name}  ${value}, with a limit of ${limit}`)
      return [`Expected "${nameOf(run)}" ${over.length === 0 ? 'to exceed a limit' : 'to stay within its limits'}.`, ...lines].join('\n')
    },
  }
}

type Measure = Exclude<keyof Limits, 'prices'>
type Prices = Readonly<Record<string, Price>>

const measures: Readonly<Record<Measure, (run: ReplayedRun, prices: Prices) => number>> = {
  steps: ({ steps }) => steps.length,
  modelCalls: ({ modelCalls }) => modelCalls.length,
  toolCalls: ({ toolCalls }) => toolCalls.length,
  inputTokens: ({ usage }) => usage.inputTokens,
  outputTokens: ({ usage }) => usage.outputTokens,
  virtualMs: ({ virtualMs }) => virtualMs,
  // Rounded to a billionth of a dollar, to hide floating-point noise.
  costUsd: ({ modelCalls }, prices) => Math.round(modelCalls.reduce((sum, call) => sum + callCost(call, prices), 0) * 1e9) / 1e9,
}

function callCost({ request, answer }: ModelCall, prices: Prices): number {
  const price = priceOf(request, answer, prices)
  return answer?.usage === undefined || price === undefined ? 0 : costOf(answer.usage, price)
}

/** The model name in an answer is more precise than the one in the request. */
function priceOf(request: NormalRequest, answer: NormalAnswer | undefined, prices: Prices): Price | undefined {
  return prices[answer?.model ?? ''] ?? prices[request.model]
}

/** The data that is missing to measure a limit. */
function cannotMeasure(name: Measure, run: ReplayedRun, prices: Prices): string | undefined {
  if (name !== 'inputTokens' && name !== 'outputTokens' && name !== 'costUsd') return undefined
  const uncounted = callsWithoutUsage(run)
  if (uncounted.length > 0) {
    return (
      `how many tokens "${nameOf(run)}" used: no usage was reported at step ${uncounted.join(', ')}. ` +
      'Have the provider report it (for OpenAI streams: stream_options: { include_usage: true }).'
    )
  }
  if (name !== 'costUsd') return undefined
  const unpriced = run.modelCalls.filter(
    ({ request, answer }) => answer?.usage !== undefined && priceOf(request, answer, prices) === undefined,
  )
  const models = [...new Set(unpriced.map(({ request }) => request.model))]
  if (models.length === 0) return undefined
  const example = `prices: { ${JSON.stringify(models[0])}: { input: 0.4, output: 1.6 } }`
  return `what "${nameOf(run)}" cost: no price is given for ${models.join(', ')}. Give it in US dollars per million tokens: ${example}.`
}

function checkLimits(limits: Limits): [Measure, number][] {
  if (typeof limits !== 'object' || limits === null)
    throw new OptionsError(NAME, 'limits', `has to be an object of limits, got ${printValue(limits, 60)}.`)
  const names = Object.keys(measures)
  checkKnownOptions(NAME, limits, [...names, 'prices'])
  const { prices = {}, ...rest } = limits
  const wrong = Object.entries(prices).find(([, { input, output }]) => !isAmount(input) || !isAmount(output))
  if (wrong !== undefined)
    throw new OptionsError(NAME, 'prices', `has to have { input, output } in US dollars per million tokens for "${wrong[0]}".`)
  const given = Object.entries(rest).filter(([, limit]) => limit !== undefined) as [Measure, unknown][]
  if (given.length === 0) throw new OptionsError(NAME, 'limits', `has to name at least one of ${names.join(', ')}.`)
  return given.map(([name, limit]) => {
    if (isAmount(limit)) return [name, limit]
    throw new OptionsError(NAME, name, `has to be a number of 0 or more, got ${printValue(limit, 60)}.`)
  })
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

/** Successfully answered model calls without token usage. */
function callsWithoutUsage({ modelCalls }: ReplayedRun): number[] {
  return modelCalls.flatMap(({ step, answer }) =>
    answer !== undefined && answer.error === undefined && answer.usage === undefined ? [step] : [],
  )
}
