import { canonical } from '../../trace/hash.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import { describeEntry } from './describe-entry.ts'
import { readModelCall } from './model-call.ts'
import type { Entry, ViewedRun, ViewedStep } from './viewed-run.ts'

/** Everything that an entry holds, as text in lower case. */
export type SearchIndex = ReadonlyMap<Entry, string>

/**
 * Makes the index of a run. Of a model call's messages it holds those that are new: what a conversation sends again is found where it was
 * said first.
 */
export function indexRun(run: ViewedRun): SearchIndex {
  const before = new Map<number, ViewedStep>()
  return new Map(
    run.entries.map((entry) => {
      const { title, result } = describeEntry(entry, run)
      return [entry, [title, result, ...textsOf(entry, run, before)].join('\n').toLowerCase()]
    }),
  )
}

/** A place where a text was found: what stands around it. */
export interface Found {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** How much is shown around what was found. */
const around = 32

/** Where words are found in an entry; undefined if they are not. */
export function findIn(index: SearchIndex, entry: Entry, words: string): Found | undefined {
  const text = index.get(entry)
  const at = text?.indexOf(words.toLowerCase()) ?? -1
  if (text === undefined || at < 0) return undefined
  const end = at + words.length
  return { before: text.slice(Math.max(0, at - around), at), match: text.slice(at, end), after: text.slice(end, end + around) }
}

function textsOf(entry: Entry, { trace: { header, end } }: ViewedRun, before: Map<number, ViewedStep>): string[] {
  switch (entry.kind) {
    case 'input':
      return [canonical(header.input)]
    case 'checkpoint':
      return [entry.checkpoint.row.name, canonical(entry.checkpoint.row.state)]
    case 'note':
      return [entry.note.what, entry.note.where]
    case 'outcome':
      return [canonical(end?.error ?? end?.output ?? null)]
    default:
      return textsOfStep(entry.step, before)
  }
}

function textsOfStep(viewed: ViewedStep, before: Map<number, ViewedStep>): string[] {
  const { step } = viewed
  const error = step.error === undefined ? [] : [canonical(step.error)]
  const call = readModelCall(step, before.get(step.owner)?.step)
  if (step.boundary === 'model') before.set(step.owner, viewed)
  if (call === undefined) return [...partsOf(step.input), ...partsOf(step.output), ...error]
  const { request, isNewSystem, isNewTools, answer } = call
  const said = request.messages.map(({ text, toolCalls, parts }) => [
    text,
    ...(toolCalls ? [canonical(toolCalls)] : []),
    ...(parts ? [canonical(parts)] : []),
  ])
  return [
    request.model,
    ...(isNewSystem ? request.system : []),
    ...(isNewTools ? [canonical(request.tools)] : []),
    ...said.flat(),
    ...(answer === undefined ? [] : [canonical(answer)]),
    ...error,
  ]
}

/** An HTTP body's text is searched as it is written, any other value as JSON. */
function partsOf(value: unknown): string[] {
  const { text, ...rest } = (typeof value === 'object' && value !== null ? value : { value }) as Partial<HttpInput & HttpOutput>
  return [...(typeof text === 'string' ? [text] : []), canonical(rest)]
}
