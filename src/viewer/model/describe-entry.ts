import { describeError } from '../../divergence/describe-call.ts'
import { cutText, printValue } from '../../divergence/print-value.ts'
import { printable } from '../../trace/printable.ts'
import type { HttpInput, HttpOutput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import { modelOf, readAnswer } from './model-call.ts'
import type { Entry, ViewedRun } from './viewed-run.ts'
import { visible } from './visible.ts'

/** The texts of a line of the list. */
export interface EntryWords {
  /** A tool's name, a model, a request's method and address. */
  readonly title: string
  /** The input, or a description. */
  readonly detail: string
  /** The output. */
  readonly result: string
  readonly isError: boolean
}

/** Longer texts are cut to stay on one line. */
const longest = 160

const known = new WeakMap<Entry, EntryWords>()

/** Returns the texts of a line of the list. They are computed once. */
export function describeEntry(entry: Entry, { trace }: ViewedRun): EntryWords {
  let words = known.get(entry)
  if (words === undefined) known.set(entry, (words = readable(toWords(entry, trace))))
  return words
}

/** Makes the texts readable: they are also used in attributes and drawings, where nothing else does. */
function readable({ title, detail, result, isError }: EntryWords): EntryWords {
  return { title: visible(title), detail: visible(detail), result: visible(result), isError }
}

function toWords(entry: Entry, trace: ViewedRun['trace']): EntryWords {
  const { header, end } = trace
  switch (entry.kind) {
    case 'input':
      return { title: 'Input', detail: printValue(header.input, longest), result: '', isError: false }
    case 'step':
      return describeStep(entry.step.step, unsettledWords(trace))
    case 'checkpoint': {
      const { name, state } = entry.checkpoint.row
      return { title: name, detail: printValue(state, longest), result: '', isError: false }
    }
    case 'note':
      return { title: entry.note.what.replaceAll('-', ' '), detail: printValue(entry.note.where, longest), result: '', isError: false }
    default:
      if (end === undefined) return { ...endless(header), result: '', isError: true }
      if (end.error !== undefined) return { title: 'Threw', detail: cutText(describeError(end.error), longest), result: '', isError: true }
      return { title: 'Returned', detail: end.output === undefined ? '' : printValue(end.output, longest), result: '', isError: false }
  }
}

function endless({ replay, forkedFrom }: ViewedRun['trace']['header']): Pick<EntryWords, 'title' | 'detail'> {
  if (replay === undefined) return { title: 'No end', detail: 'the recording breaks off here' }
  return { title: 'Stopped', detail: `the ${forkedFrom ? 'fork' : 'replay'} was stopped here` }
}

/** Describes a step that did not settle: a replay that was stopped refused it, or was waiting for it. */
export function unsettledWords({ header, end }: ViewedRun['trace']): string {
  return header.replay !== undefined && end === undefined ? 'not answered: it was stopped here' : 'in flight where the recording breaks off'
}

function describeStep(step: Step, unsettled: string): EntryWords {
  const { boundary, name, input, output, error } = step
  const status = (output as HttpOutput | undefined)?.status ?? 0
  const isHttp = boundary === 'model' || boundary === 'http'
  const isError = error !== undefined || (isHttp && status >= 400)
  return { ...callOf(boundary, name, input, step), result: resultOf(step, unsettled), isError }
}

function callOf(boundary: Step['boundary'], name: string, input: unknown, step: Step): Pick<EntryWords, 'title' | 'detail'> {
  if (boundary === 'model') return { title: modelOf(step) || name, detail: '' }
  if (boundary !== 'http') return { title: name, detail: input === undefined ? '' : printValue(input, longest) }
  const { method, url, json, text } = (input ?? {}) as HttpInput
  const body = json ?? text
  const title = `${method} ${url.replace(/^\w+:\/\//, '')}`
  return { title: cutText(title, longest), detail: body === undefined ? '' : printValue(body, longest) }
}

/** Formats a value on one line. Text that contains JSON is shown unchanged. */
function inLine(value: unknown): string {
  const isJson = typeof value === 'string' && /^\s*[[{]/.test(value)
  return isJson
    ? cutText(
        printable(
          value
            .slice(0, 2 * longest)
            .replaceAll(/\s+/g, ' ')
            .trim(),
        ),
        longest,
      )
    : printValue(value, longest)
}

function resultOf(step: Step, unsettled: string): string {
  const { boundary, output, error, settledAt } = step
  if (error !== undefined) return cutText(describeError(error), longest)
  if (output === undefined) return settledAt === undefined ? unsettled : ''
  if (boundary === 'model') return answerOf(step)
  if (boundary !== 'http') return inLine(output)
  const { status, json, text } = output as HttpOutput
  const body = json ?? text
  return body === undefined ? String(status) : `${status} ${inLine(body)}`
}

function answerOf(step: Step): string {
  const answer = readAnswer(step)
  if (answer === undefined) return ''
  const { status } = step.output as HttpOutput
  if (answer.error !== undefined) return cutText(`${status ?? ''} ${answer.error.message}`.trim(), longest)
  const calls = answer.toolCalls.map(({ name, args }) => `${name}(${printValue(args, longest)})`)
  const said = answer.text === '' ? [] : [printValue(answer.text, longest)]
  return cutText([...said, ...calls].join(' '), longest)
}
