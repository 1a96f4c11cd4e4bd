import { canonical } from '../../trace/hash.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import { describeEntry } from './describe-entry.ts'
import { readModelCall, type ViewedModelCall } from './model-call.ts'
import type { PageFrame } from '../page-data.ts'
import type { Entry, ViewedRun, ViewedStep } from './viewed-run.ts'

/** The searchable text of each entry. */
export type SearchIndex = ReadonlyMap<Entry, { readonly text: string; readonly lower: string }>

/** Builds the index of a run. Of a model call's messages, it contains only the new ones: repeated messages are found where they first appeared. */
export function indexRun(run: ViewedRun): SearchIndex {
  const before = new Map<number, ViewedStep>()
  return new Map(
    run.entries.map((entry) => {
      const { title, result } = describeEntry(entry, run)
      const text = [title, result, ...textsOf(entry, run, before)].join('\n')
      const lower = text.toLowerCase()
      // Some letters become longer in lower case, which would shift the offsets.
      return [entry, { text: lower.length === text.length ? text : lower, lower }]
    }),
  )
}

/** A place where a text was found, with the text around it. */
export interface Found {
  readonly before: string
  readonly match: string
  readonly after: string
}

/** How many characters are shown around a match. */
const around = 32

/** Finds words in an entry; undefined if it does not contain them. */
export function findIn(index: SearchIndex, entry: Entry, words: string): Found | undefined {
  const { text = '', lower } = index.get(entry) ?? {}
  const at = lower?.indexOf(words.toLowerCase()) ?? -1
  if (at < 0) return undefined
  const end = at + words.length
  return { before: text.slice(Math.max(0, at - around), at), match: text.slice(at, end), after: text.slice(end, end + around) }
}

function textsOf(entry: Entry, run: ViewedRun, before: Map<number, ViewedStep>): string[] {
  const { header, end } = run.trace
  switch (entry.kind) {
    case 'input': {
      const { input, tags = {}, ...about } = header
      return [canonical(input), ...Object.entries(tags).map(([name, value]) => `${name}=${value}`), ...run.flags, canonical(about)]
    }
    case 'checkpoint':
      return [entry.checkpoint.row.name, canonical(entry.checkpoint.row.state)]
    case 'note':
      return [entry.note.what, entry.note.where]
    case 'outcome':
      return [canonical(end?.error ?? end?.output ?? null)]
    default:
      return [...textsOfStep(entry.step, before), ...(run.variables[entry.step.step.step] ?? []).flatMap(textsOfFrame)]
  }
}

function textsOfFrame({ place, source = '', variables }: PageFrame): string[] {
  return [place, source, ...variables.map((each) => each.join(': '))]
}

function textsOfStep(viewed: ViewedStep, before: Map<number, ViewedStep>): string[] {
  const { step } = viewed
  const { idempotencyKey } = step
  const call = readModelCall(step, before.get(step.owner)?.step)
  if (step.boundary === 'model') before.set(step.owner, viewed)
  return [
    step.name,
    ...(idempotencyKey === undefined ? [] : [`idempotency key ${idempotencyKey}`]),
    ...(call === undefined ? partsOf(step.input) : [...textsOfCall(call), ...partsOf({ ...(step.input as HttpInput), json: undefined })]),
    ...partsOf(step.output),
    ...(step.error === undefined ? [] : [canonical(step.error)]),
  ]
}

function textsOfCall({ request, isNewSystem, isNewTools, answer }: ViewedModelCall): string[] {
  const { reasoning, refusal, stopReason } = answer ?? {}
  const said = [...request.messages, ...(answer ? [{ ...answer, parts: [] }] : [])].map(({ text, toolCalls = [], parts = [] }) => [
    text,
    ...toolCalls.map(({ name, args }) => `${name} ${canonical(args)}`),
    ...parts.map((part) => canonical(part)),
  ])
  return [
    request.model,
    ...(isNewSystem ? request.system : []),
    ...(isNewTools ? [canonical(request.tools)] : []),
    canonical(request.sampling),
    ...said.flat(),
    ...[reasoning, refusal, stopReason].filter((text) => text !== undefined),
  ]
}

/** Exchanges are searched as they are shown, with the raw text of the body. Other values are searched as JSON. */
function partsOf(value: unknown): string[] {
  const { method, url, status, headers, text, ...rest } = (
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }
  ) as Partial<HttpInput & HttpOutput>
  const pairs = Array.isArray(headers) ? headers.map((pair) => pair.join(': ')) : headers === undefined ? [] : [canonical(headers)]
  const line = [method, url, status].filter((part) => part !== undefined)
  return [
    line.map(String).join(' '),
    ...pairs,
    ...(text === undefined ? [] : [typeof text === 'string' ? text : canonical(text)]),
    canonical(rest),
  ]
}
