import { OptionsError } from '../errors/options-error.ts'
import type { RequestEffects } from '../boundary.ts'
import { toRequestPattern } from './request-pattern.ts'

/** @throws OptionsError for a key that is no pattern of requests, and for an effect other than `read` and `write`. */
export function checkRequestEffects(caller: string, effects: RequestEffects | undefined): void {
  const fail = (problem: string): never => {
    throw new OptionsError(caller, 'effects', problem)
  }
  if (effects === undefined) return
  const isObject = typeof effects === 'object' && effects !== null && !Array.isArray(effects)
  if (!isObject) fail("has to be an object: effects: { 'POST search.example/v1/*': 'read' }.")
  for (const [pattern, effect] of Object.entries(effects)) {
    if (toRequestPattern(pattern) === undefined) {
      fail(`has the key ${JSON.stringify(pattern)}, which has to be a method, a host and a path: 'POST search.example/v1/*'.`)
    }
    if (effect !== 'read' && effect !== 'write')
      fail(`has to say 'read' or 'write' for ${JSON.stringify(pattern)}, got ${JSON.stringify(effect)}.`)
  }
}
