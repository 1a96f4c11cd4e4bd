import stringify from 'fast-json-stable-stringify'
import type { Boundary } from '../trace/boundary.ts'
import { normalInput } from './normal-input.ts'
import { noRules, type PathRules } from './path-rules.ts'

/**
 * Returns the same text for all equivalent inputs: keys in a fixed order, without meaningless differences (a model call's host, a provider's
 * tool-call ids, multipart boundaries, signatures of URLs). Its stand-ins are compared as variables. `input` is in recorded form; `rules`
 * are applied to it.
 */
export function canonicalInput(boundary: Boundary, name: string, input: unknown, rules: PathRules = noRules): string {
  return stringify(rules.input(boundary, normalInput(boundary, name, input)))
}
