import { OptionsError } from '../trace/errors/options-error.ts'
import { routeProblem } from './routes.ts'

/** Options of a fork as they were given, by whoever may have no types. */
export interface GivenForkValues {
  readonly at: unknown
  readonly route: Readonly<Record<string, unknown>>
  readonly budget: object
  readonly cache: unknown
  readonly seed: unknown
  readonly allowHost: unknown
  readonly standIns: unknown
}

/** @throws OptionsError for the first value of the wrong kind. */
export function checkForkValues(caller: string, { at, route, budget, cache, seed, allowHost, standIns }: GivenForkValues): void {
  const fail = (option: string, problem: string): never => {
    throw new OptionsError(caller, option, problem)
  }
  if (at !== undefined && !isPoint(at))
    fail('at', `has to be a step number, { turn }, { tool, nth }, { checkpoint } or 'side-effect', got ${JSON.stringify(at)}.`)
  for (const [name, rule] of Object.entries(route)) {
    const problem = typeof rule === 'function' ? undefined : routeProblem(rule)
    if (problem !== undefined) fail(`route.${name}`, problem)
  }
  for (const name of ['calls', 'tokens', 'usd']) {
    const limit = (budget as Readonly<Record<string, unknown>>)[name]
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
      fail(`budget.${name}`, `has to be a number of 0 or more, got ${JSON.stringify(limit)}.`)
  }
  if (cache !== undefined && typeof cache !== 'string') fail('cache', `has to be a directory, got ${JSON.stringify(cache)}.`)
  if (!Number.isInteger(seed)) fail('seed', `has to be a whole number, got ${JSON.stringify(seed)}.`)
  if (!Array.isArray(allowHost)) fail('allowHost', `has to be a list of hosts, got ${JSON.stringify(allowHost)}.`)
  const isMap = typeof standIns === 'object' && standIns !== null
  if (standIns !== 'send' && standIns !== 'refuse' && !isMap)
    fail('standIns', `has to be "send" or an object of real values by stand-in, got ${JSON.stringify(standIns)}.`)
}

function isPoint(at: unknown): boolean {
  if (at === 'side-effect') return true
  if (typeof at === 'number') return Number.isInteger(at) && at >= 1
  if (typeof at !== 'object' || at === null) return false
  const { turn, tool, nth = 1, checkpoint } = at as Readonly<Record<string, unknown>>
  if (typeof checkpoint === 'string' || (typeof tool === 'string' && Number.isInteger(nth))) return true
  return Number.isInteger(turn)
}
