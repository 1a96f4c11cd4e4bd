import { dialectNamed } from '../models/dialects.ts'
import type { Step } from '../trace/trace.ts'
import type { FieldDifference } from './divergence.ts'
import { isFields } from './same-value.ts'

/** Shorter texts within a result may be anywhere. */
const shortest = 8

/** The result of a step, as texts that a later call may contain: a text or what a model answered, or else the texts in a structure. */
export function resultTexts({ boundary, name, output }: Pick<Step, 'boundary' | 'name' | 'output'>): string[] {
  if (boundary !== 'model') return textsIn(output)
  if (!isFields(output)) return []
  const { json, text } = output
  const body = json === undefined ? (typeof text === 'string' ? { text } : {}) : { json }
  const answer = dialectNamed(name)?.answer(body, typeof text === 'string' ? 'text/event-stream' : undefined)?.text ?? ''
  return answer === '' ? [] : [answer]
}

/** The text among some results that only the recorded side of a difference contains. */
export function lackedResult({ expected, received }: FieldDifference, texts: readonly string[]): string | undefined {
  const [recorded, live] = [contentOf(expected), contentOf(received)]
  return texts.find((text) => recorded.includes(text) && !live.includes(text))
}

/** Whether two texts differ only where the recorded one has a result: what surrounds it is the same. */
export function differsOnlyAt({ expected, received }: FieldDifference, result: string): boolean {
  if (typeof expected !== 'string' || typeof received !== 'string' || expected === result) return false
  const at = expected.indexOf(result)
  const [before, after] = [expected.slice(0, at), expected.slice(at + result.length)]
  return received.length >= before.length + after.length && received.startsWith(before) && received.endsWith(after)
}

function textsIn(output: unknown): string[] {
  if (typeof output === 'string') return output === '' ? [] : [output]
  if (typeof output !== 'object' || output === null) return []
  return Object.values(output)
    .flatMap(textsIn)
    .filter((text) => text.length >= shortest)
}

function contentOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
