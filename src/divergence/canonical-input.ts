import stringify from 'fast-json-stable-stringify'
import type { Boundary } from '../trace/boundary.ts'
import { normalInput } from './normal-input.ts'

/**
 * One text for every input that asks for the same: keys in a fixed order, and nothing in it that differs without meaning, which are a model
 * call's host, a provider's tool-call ids and multipart boundaries. The stand-ins in it are compared as variables. `input` is in recorded form.
 */
export function canonicalInput(boundary: Boundary, name: string, input: unknown): string {
  return stringify(normalInput(boundary, name, input))
}
