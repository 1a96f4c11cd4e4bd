import type { NormalMessage, NormalRequest } from '../models/dialect.ts'
import { describeFunctionCall } from '../divergence/describe-call.ts'
import type { ModelCall } from '../replay/contract/replayed-run.ts'
import type { HttpInput, HttpOutput } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { toRecorded } from '../trace/values.ts'
import { errorText } from './describe-step.ts'
import { printable } from '../trace/printable.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** A step with its details. */
export interface DetailedStep {
  readonly step: Step
  /** Set for a model call of a known dialect. */
  readonly call: ModelCall | undefined
  /** The previous model call: messages that it already sent are only counted. Default: none, and all are shown. */
  readonly before: ModelCall | undefined
}

/** Formats the full input and result of a step, labelled. Line breaks in texts are kept. */
export function formatStepDetails(detailed: DetailedStep, { colors }: Pick<Terminal, 'colors'>): string[] {
  const { step } = detailed
  const fields = detailed.call === undefined ? plainFields(step) : modelFields(detailed.call, detailed.before)
  const errors: Field[] = step.error === undefined ? [] : [['threw', `${errorText(step.error)}${stackOf(step.error)}`]]
  const about: Field[] = [...(step.idempotencyKey === undefined ? [] : [['key', step.idempotencyKey] as const]), ...fields, ...errors]
  return about.flatMap(([label, text]) =>
    text
      .split(/\r?\n/)
      .map((line, index) =>
        `${' '.repeat(indent)}${colors.dim((index === 0 ? label : '').padEnd(labelWidth))}${printable(line)}`.trimEnd(),
      ),
  )
}

type Field = readonly [label: string, text: string]

const indent = 8
const labelWidth = 12

function modelFields({ request, answer }: ModelCall, before: ModelCall | undefined): Field[] {
  const sampling = Object.keys(request.sampling).length === 0 ? [] : [['sampling', JSON.stringify(request.sampling)] as const]
  const answered: Field[] =
    answer === undefined
      ? []
      : [
          ...(answer.text === '' ? [] : [['answer', answer.text] as const]),
          ...answer.toolCalls.map((asked): Field => ['asks for', describeFunctionCall(asked.name, asked.args)]),
          ...(answer.error === undefined ? [] : [['refused', answer.error.message] as const]),
        ]
  return [['model', request.model], ...sampling, ...requestFields(request, before?.request), ...answered]
}

function requestFields({ system, messages, tools }: NormalRequest, before: NormalRequest | undefined): Field[] {
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
  const differs = messages.findIndex((message, index) => !isSame(message, before?.messages[index]))
  const known = before === undefined ? 0 : differs < 0 ? messages.length : differs
  return [
    ...(before !== undefined && isSame(system, before.system) ? [] : system.map((text): Field => ['system', text])),
    ...(tools.length === 0 || (before !== undefined && isSame(tools, before.tools))
      ? []
      : [['tools', tools.map(({ name }) => name).join(', ')] as const]),
    ...(known === 0 ? [] : [['', `(${count(known, 'message')} as in the previous model call)`] as const]),
    ...messages.slice(known).flatMap(messageFields),
  ]
}

function messageFields({ role, text, toolCalls = [], toolResult, parts = [] }: NormalMessage): Field[] {
  return [
    ...(text === '' ? [] : [[role, text] as const]),
    ...toolCalls.map((asked): Field => [role, describeFunctionCall(asked.name, asked.args)]),
    ...(toolResult === undefined || toolResult.text === text ? [] : [[role, toolResult.text] as const]),
    ...parts.map((part): Field => [role, JSON.stringify(part)]),
  ]
}

function plainFields({ boundary, input, output }: Step): Field[] {
  if (boundary === 'tool' || boundary === 'external')
    return [
      ...(input === undefined ? [] : [['given', print(input)] as const]),
      ...(output === undefined ? [] : [['gave', print(output)] as const]),
    ]
  const { method, url, ...request } = input as HttpInput
  const answer = output as HttpOutput | undefined
  return [
    ['request', `${method} ${url}`],
    ...bodyFields('body', request),
    ...(answer === undefined ? [] : [['status', String(answer.status)] as const, ...bodyFields('answer', answer)]),
  ]
}

function bodyFields(label: string, { json, text, bytes }: { json?: unknown; text?: string; bytes?: Uint8Array }): Field[] {
  if (json !== undefined) return [[label, print(json)]]
  if (text !== undefined) return [[label, text]]
  return bytes === undefined ? [] : [[label, `${count(bytes.byteLength, 'byte')}, not text`]]
}

function print(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(toRecorded(value), undefined, 2) ?? 'nothing')
}

function stackOf(error: object): string {
  const stack = 'stack' in error && typeof error.stack === 'string' ? error.stack : ''
  return stack === '' ? '' : `\n${stack}`
}
