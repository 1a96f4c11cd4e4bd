import stringify from 'fast-json-stable-stringify'
import type { Boundary } from '../trace/boundary.ts'
import { normalInput } from './normal-input.ts'
import { noRules, type PathRules } from './path-rules.ts'

/**
 * One text for every input that asks for the same: keys in a fixed order, and nothing in it that differs without meaning, which are a model
 * call's host, a provider's tool-call ids, multipart boundaries and signatures of URLs. The stand-ins in it are compared as variables. `input`
 * is in recorded form; of what `rules` name that is compared which they make of it.
 */
export function canonicalInput(boundary: Boundary, name: string, input: unknown, rules: PathRules = noRules): string {
  return stringify(rules.input(boundary, normalInput(boundary, name, input)))
}
