import { type OutputUnit, Validator } from '@cfworker/json-schema'
import type { NormalAnswer, NormalRequest } from '../../models/dialect.ts'
import { answerIn, dialectNamed } from '../../models/dialects.ts'
import { outputFormatOf } from '../../models/output-format.ts'
import { canonical } from '../../trace/hash.ts'
import { isJsonObject, parseJson } from '../../trace/json.ts'
import type { HttpInput } from '../../trace/rows.ts'
import type { Step } from '../../trace/trace.ts'
import { cutText, printValue } from '../print-value.ts'

/** The two requests of a model call. */
interface Requests {
  readonly recorded: NormalRequest
  readonly live: NormalRequest
}

/**
 * Why a model would not have given a step's recorded answer to a changed request: a call of a tool that is no longer offered, or with arguments that
 * only the old schema takes; a stream where none is asked for, or the reverse; another output format.
 *
 * @param live The input of the replay's call.
 * @returns A clause about the answer: `calls the tool "refund", which the agent no longer offers`. Undefined if the answer fits, or is none of a model's.
 */
export function unfitAnswer(recorded: Step, live: unknown): string | undefined {
  const dialect = recorded.boundary === 'model' ? dialectNamed(recorded.name) : undefined
  const answer = answerIn(recorded.name, recorded.output)
  if (dialect === undefined || answer === undefined || answer.error !== undefined) return undefined
  const read = (input: unknown): NormalRequest => {
    const { json, url } = input as HttpInput
    return dialect.request(json, url)
  }
  const requests = { recorded: read(recorded.input), live: read(live) }
  return unfitStream(requests) ?? unfitCalls(requests, answer) ?? unfitFormat(requests, answer)
}

function unfitStream({ recorded, live }: Requests): string | undefined {
  if (recorded.stream === live.stream) return undefined
  return recorded.stream ? 'is a stream, which the agent no longer asks for' : 'is no stream, which the agent now asks for'
}

function unfitCalls({ recorded, live }: Requests, { toolCalls }: NormalAnswer): string | undefined {
  for (const { name, args } of toolCalls) {
    const before = recorded.tools.find((tool) => tool.name === name)
    const after = live.tools.find((tool) => tool.name === name)
    if (before === undefined) continue
    if (after === undefined) return `calls the tool ${JSON.stringify(name)}, which the agent no longer offers`
    const refusal = refusalBy(before.schema, after.schema, args)
    if (refusal !== undefined)
      return `calls the tool ${JSON.stringify(name)} with ${printValue(args, 60)}, which its new schema refuses: ${refusal}`
  }
  return undefined
}

function unfitFormat({ recorded, live }: Requests, { text, toolCalls }: NormalAnswer): string | undefined {
  const [before, after] = [outputFormatOf(recorded), outputFormatOf(live)]
  // A turn that calls tools has no text in the format yet.
  if (text === '' && toolCalls.length > 0) return undefined
  if (before.kind !== after.kind)
    return before.kind === 'json' ? 'is JSON, which the agent no longer asks for' : 'is text, and the agent now asks for JSON'
  const value = parseJson(text)
  const refusal = value === undefined ? undefined : refusalBy(before.schema, after.schema, value)
  return refusal === undefined ? undefined : `is JSON, which the new schema of the answer refuses: ${refusal}`
}

/** Why a new schema refuses a value that the old one took. Undefined if it takes it, or if the old one refused it as well. */
function refusalBy(before: unknown, after: unknown, value: unknown): string | undefined {
  if (canonical(before ?? null) === canonical(after ?? null)) return undefined
  const [first] = refusals(after, value) ?? []
  return first !== undefined && refusals(before, value)?.length === 0 ? first : undefined
}

/** The reasons for which a schema refuses a value. Undefined if it cannot be read. */
function refusals(schema: unknown, value: unknown): string[] | undefined {
  if (!isJsonObject(schema)) return schema === undefined ? [] : undefined
  try {
    return new Validator(withJsonTypes(schema), '2020-12', false).validate(value).errors.filter(isOwn).map(tellRefusal)
  } catch {
    // It has a reference to nowhere, or a pattern that is none.
    return undefined
  }
}

/** Whether an error is not only that of a field within. */
function isOwn({ keyword }: OutputUnit): boolean {
  return !['properties', 'items', 'prefixItems', '$ref'].includes(keyword)
}

function tellRefusal({ instanceLocation, error }: OutputUnit): string {
  const place = instanceLocation.slice(2)
  return cutText(`${place === '' ? '' : `${place}: `}${error.replace(/\.$/, '')}`, 120)
}

/** Gemini writes types in capitals (`STRING`). */
function withJsonTypes(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === 'type' && typeof value === 'string' ? value.toLowerCase() : value,
  ) as Record<string, unknown>
}
