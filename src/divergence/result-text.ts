import { dialectNamed } from '../models/dialects.ts'
import type { Step } from '../trace/trace.ts'
import type { FieldDifference } from './divergence.ts'
import { isFields } from './same-value.ts'

/** The result of a step, as text that a later step may contain; empty if it has none. */
export function resultText(step: Step | undefined): string {
  const output: unknown = step?.output
  if (typeof output === 'string') return output
  if (step?.boundary !== 'model' || !isFields(output)) return ''
  const { json, text } = output
  const body = json === undefined ? (typeof text === 'string' ? { text } : {}) : { json }
  return dialectNamed(step.name)?.answer(body, typeof text === 'string' ? 'text/event-stream' : undefined)?.text ?? ''
}

/** Whether only the recorded value contains a text. */
export function hadText({ expected, received }: FieldDifference, text: string): boolean {
  return typeof expected === 'string' && expected.includes(text) && !(typeof received === 'string' && received.includes(text))
}
