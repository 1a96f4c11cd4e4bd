import { z } from 'zod'

import type { EncodedError, EncodedRow, ExpectationOf } from '../src/trace/codec/encoded-rows.ts'
import type { StreamText } from '../src/trace/codec/stream-encoder.ts'
import type { Json } from '../src/trace/json.ts'
import type { ValueForm } from '../src/trace/trace-check.ts'
import type { HttpInput, HttpOutput } from '../src/trace/rows.ts'
import { isBytes, isPath, isPattern, isUrl } from '../src/trace/formats.ts'

// An `error` states the requirement, after "has to be": check-row.ts makes the sentence.

// Any JSON: its "$" objects are checked when the value is read, where its path is known.
const value = (z.unknown() as z.ZodType<Json>).meta({
  id: 'Value',
  description:
    'Any JSON. An object whose only key is "$" stands for another value: {"$":"t3"} for the value of the text row t3; {"$":{"after":2,"keep":5,' +
    '"add":[]}} for the array at this place in step 2 (in a state: in the second checkpoint), cut to its first 5 items (without ' +
    '"keep": all items), followed by the items of "add"; {"$":{"date":"…"}}, and likewise "bigint", "number", "undefined", "map", "set", ' +
    '"bytes", "regexp", "url", "search", "headers", "error", "handle" and "cycle", for values that JSON cannot represent; {"$":{"unkept":"a function"}} for ' +
    'a value that could not be kept; {"$":{"literal":{"$":1}}} for the object in it.',
})

const count = z.int().min(0)
const step = z.int().min(1).meta({ description: 'Steps are numbered from 1, in the order in which their calls started.' })
const noteWord = z.string().meta({
  description:
    'A stable word. `cut`: the recording ended before its run. `shared-call`: one call answered this run and another run, but is a step of only one of them.',
})
const owner = count.meta({ description: 'The step in whose body it happened, 0 for the run itself.' })
const at = z.number().meta({ description: 'Milliseconds since the run started.' })
const text = z.string()
const name = z.string()
const base64 = z.base64({ error: 'base64' })
const timestamp = z.iso.datetime({ offset: true, error: 'an ISO 8601 time' })
const reference = z
  .string()
  .regex(/^t[1-9]\d*$/, { error: 'a reference like "t3"' })
  .meta({ description: 'The ref of an earlier text row.' })
const texts = z.record(z.string(), text)
const sameTick = z
  .literal(true)
  .exactOptional()
  .meta({ description: 'No microtask ran since the previous completion row. If absent, the row starts a new tick.' })
const sameTurn = z
  .literal(true)
  .exactOptional()
  .meta({ description: 'Only microtasks ran since the previous completion row: both happened in the same turn of the event loop.' })
const turns = count
  .exactOptional()
  .meta({ description: 'How many turns of the event loop that the agent requested (setImmediate) passed since the previous tick.' })
const inTick = { sameTick, sameTurn, turns }
const by = z.literal('agent').exactOptional().meta({ description: 'The agent itself ended the step.' })
const sync = z.literal(true).exactOptional().meta({ description: 'The function settled directly, not through a promise.' })

const inTurn = z.literal(true).exactOptional().meta({ description: 'For a function: only microtasks ran since its call.' })

const outlasted = z
  .number()
  .exactOptional()
  .meta({ description: 'The idle limit of its connection, in milliseconds, if a part of the answer came later than that.' })

const connection = z
  .strictObject({
    reused: z.literal(true).exactOptional(),
    authorized: z.literal(false).exactOptional(),
    authorizationError: text.exactOptional(),
    alpnProtocol: text.exactOptional(),
  })
  .exactOptional()
  .meta({ description: 'What the client sees of its connection, if that differs from a new connection to a trusted server.' })

/** The fields shared by the rows that settle a step. */
const settling = { step, at, ...inTick, by, sync, inTurn, outlasted, connection }

// The system takes other texts for the path of a file.
const timeZone = text.regex(/^[\w+-]+(?:[/:][\w+-]+)*$/, { error: 'the name of a time zone' })
// The JSON Schema has a refinement as a format, and row-check-code.ts as a function of formats.ts.
const url = text.refine(isUrl, { error: 'a URL' }).meta({ format: 'url' })
const status = z.int().min(100).max(999).meta({ description: 'Three digits, as in the first line of a response.' })
// Source: RFC 9110, sections 5.1 and 5.5. Bytes of a header are Latin-1.
const token = /^[\w!#$%&'*+.^`|~-]+$/
const headerName = text.regex(token, { error: 'the name of a header' })
const headerValue = text.regex(/^[^\0\r\n\u0100-\uFFFF]*$/, { error: 'the value of a header' })
// Undici decodes it as UTF-8.
const reason = text.regex(/^[^\0\r\n]*$/, { error: 'a reason phrase' })
const headers = z
  .array(z.tuple([headerName, headerValue]))
  .meta({ description: 'Names as received (before format 3: in lower case) and values, in the order in which they arrived.' })

const error: z.ZodType<EncodedError> = z
  .strictObject({
    name,
    message: text,
    class: text.exactOptional(),
    code: z.union([text, z.number()], { error: 'text or a number' }).exactOptional(),
    status: z.number().exactOptional(),
    cause: z.lazy(() => error).exactOptional(),
    fields: value.exactOptional(),
    value: value.exactOptional(),
  })
  .meta({ id: 'Error' })

const literal = z.union([text, z.number(), z.boolean(), z.null(), z.strictObject({ raw: text })], { error: 'a literal or {"raw":"…"}' })
const piece = z
  .union([text, z.strictObject({ like: reference, fill: z.record(z.string().regex(/^\d+$/), literal).exactOptional() })], {
    error: 'text or {"like":"t3","fill":{…}}',
  })
  .meta({
    id: 'Piece',
    description:
      'Text, or an event with the shape of another: "fill" gives the literals (JSON strings, numbers, true, false and null that are not keys, and runs of spaces, counted from 0) ' +
      'that differ from the first event of that shape in the same stream or, if this is the first, from the text row "like".',
  })
const streamText: z.ZodType<StreamText> = z.union([piece, z.array(piece)], { error: 'text, a piece {"like":"t3"}, or an array of both' })

const expectation: z.ZodType<ExpectationOf<Json>> = z.discriminatedUnion(
  'replay',
  [
    z.strictObject({ replay: z.literal('same') }),
    z.strictObject({
      replay: z.literal('departs'),
      trigger: z.union([step, z.literal('input')], { error: 'a step, or "input"' }).exactOptional(),
      at: step,
      answers: z.record(z.string(), value).exactOptional(),
      checks: z
        .array(z.strictObject({ matcher: name, args: z.array(value).exactOptional(), not: z.literal(true).exactOptional() }))
        .exactOptional(),
      allowWrites: z.array(name).exactOptional(),
      tools: z.record(name, z.literal('run')).exactOptional(),
    }),
  ],
  { error: '"same" or "departs"' },
)

const boundary = z.enum(['model', 'http', 'tool', 'external'])

const pattern = text.refine(isPattern, { error: 'a regular expression' }).meta({ format: 'regex' })
const path = text.refine(isPath, { error: 'a path such as customer.name' }).meta({ format: 'path' })

const redaction = z.strictObject({
  rules: z.array(text),
  standIns: count,
  own: z
    .array(z.strictObject({ name, path: path.exactOptional(), pattern: pattern.exactOptional(), flags: text.exactOptional() }))
    .exactOptional(),
  keep: z
    .array(
      z.union([z.strictObject({ text }), z.strictObject({ pattern, flags: text.exactOptional() })], {
        error: '{"text":"…"} or {"pattern":"…"}',
      }),
    )
    .exactOptional(),
  countries: z.array(name).exactOptional(),
  draws: z.literal('stand-in').exactOptional(),
  shaped: z.literal(true).exactOptional(),
})

const run = z.strictObject({
  kind: z.literal('run'),
  format: z.int().min(1),
  id: text,
  traceId: text,
  agent: name,
  agentVersion: text.exactOptional(),
  hasContext: z.literal(true).exactOptional().meta({ description: 'The agent got a context, which is not kept.' }),
  wholeProcess: z.literal(true).exactOptional().meta({ description: 'The run is a whole process, not that of an agent.' }),
  input: value,
  tags: texts.exactOptional(),
  startedAt: timestamp,
  runtime: z.strictObject({
    node: text,
    goldenrun: text,
    timeZone,
    locale: text,
    env: z.record(z.string(), text.nullable()),
    nodeEnv: text.nullable().exactOptional(),
  }),
  contracts: z.strictObject({ models: z.array(text), systemPrompts: z.array(text), tools: texts }),
  fidelity: z.enum(['wire', 'chunk', 'message', 'tool', 'outline']),
  redaction,
  compareHeaders: z.array(text).exactOptional(),
  ambient: z
    .strictObject({ names: z.array(text), answers: z.array(z.strictObject({ boundary, name, input: value, output: value })) })
    .exactOptional(),
  effects: z.record(z.string(), z.enum(['read', 'write'])).exactOptional(),
  muted: z.array(text).exactOptional(),
  unmuted: z.array(text).exactOptional(),
  files: z.strictObject({ record: z.array(text), maxBytes: z.number() }).exactOptional(),
  golden: z
    .strictObject({
      name,
      description: text.exactOptional(),
      expectedOutcome: text.exactOptional(),
      expect: expectation,
      promotedAt: timestamp,
      promotedFrom: text,
      follows: name.exactOptional(),
      rebasedAt: timestamp.exactOptional(),
      variables: z
        .record(z.string(), text.nullable())
        .exactOptional()
        .meta({ description: 'The environment variables whose values the run sent, with the value, or null for a credential.' }),
    })
    .exactOptional(),
  replay: z.strictObject({ ran: z.array(name) }).exactOptional(),
  resumedFrom: z.strictObject({ id: text, checkpoint: text, state: value, at, step: count }).exactOptional(),
  forkedFrom: z.strictObject({ id: text, step, edit: value.exactOptional(), routes: texts }).exactOptional(),
})

const call = z.strictObject({
  kind: z.literal('call'),
  step,
  owner,
  boundary,
  name,
  effect: z.enum(['read', 'write']).exactOptional(),
  idempotencyKey: text.exactOptional(),
  attempt: z.int().min(2).exactOptional(),
  limit: z.number().exactOptional().meta({ description: 'The time limit of the call in milliseconds, if its client enforces it.' }),
  cut: count.exactOptional().meta({
    description: 'How many bytes of the body had been sent, if its answer began, or the call settled, before all of it was sent.',
  }),
  input: value,
  agentInput: value.exactOptional(),
  credentials: z
    .array(z.strictObject({ at: text, value: text.exactOptional(), variables: z.array(text).exactOptional() }))
    .exactOptional()
    .meta({ description: 'In whose name the call was made, and values of the environment that it sent.' }),
  client: text.exactOptional().meta({ description: "The client's user-agent, if it differs from that of the earlier call of this name." }),
  at,
})

const digest = z
  .tuple([
    count,
    count,
    z.enum(['md5', 'sha1', 'sha256', 'sha512', 'crc32', 'crc32c', 'crc64nvme']),
    z.enum(['hex', 'base64', 'base64-unpadded', 'decimal']),
  ])
  .meta({
    description:
      'A digest that is cut out of the value of a header: the index of the header, the place in its value, the algorithm, and the form. The "received" ' +
      'of the return row has the digests as they were received; null for one that is computed from the body.',
  })

const headFields = {
  statusText: reason.exactOptional().meta({ description: 'The reason phrase, unless it is the standard one of the status.' }),
  version: text
    .regex(/^\d\.\d$/, { error: 'a version of HTTP' })
    .exactOptional()
    .meta({ description: 'The version of HTTP, if it is before 1.1.' }),
  leftOut: z.array(text).exactOptional().meta({ description: 'Names of headers that were received and are not kept.' }),
  digests: z.array(digest).exactOptional(),
  url: url.exactOptional(),
}

const head = z.strictObject({
  kind: z.literal('head'),
  step,
  at,
  ...inTick,
  status,
  ...headFields,
  headers: z
    .union(
      [
        headers,
        z.strictObject({ $: reference }),
        z.strictObject({ like: step, set: z.record(z.string().regex(/^\d+$/), headerValue).exactOptional() }),
      ],
      {
        error: 'pairs of name and value',
      },
    )
    .meta({
      description:
        'In {"like":3,"set":{"2":"…"}}: the headers of the head of step 3, with its names, its "leftOut" and its "digests"; "set" has the values that ' +
        'differ, by their index.',
    }),
  connection,
})

const chunk = z
  .strictObject({
    kind: z.literal('chunk'),
    step,
    at,
    ...inTick,
    text: streamText.exactOptional(),
    bytes: base64.exactOptional(),
    length: count.exactOptional(),
    encoded: z.union([z.literal(true), text], { error: 'true, or a text' }).exactOptional(),
    stream: text.exactOptional(),
  })
  .meta({
    description:
      'Exactly one of "text", "bytes" and "length" (the number of bytes that arrived; the body itself is in the return row). "stream" names an output of a child process other than its standard output.',
  })

const timerKey = { owner, set: count, delay: z.number(), occurrence: step.exactOptional() }

const usage = z.strictObject({ inputTokens: count, outputTokens: count })

const rows = [
  run,
  z.strictObject({ kind: z.literal('text'), ref: reference, value }),
  call,
  head,
  chunk,
  z.strictObject({ kind: z.literal('return'), ...settling, output: value.exactOptional() }),
  z.strictObject({ kind: z.literal('throw'), ...settling, error }),
  z.strictObject({ kind: z.literal('timer'), ...timerKey, at, ...inTick }),
  z.strictObject({
    kind: z.literal('reads'),
    owner,
    clock: z.array(z.number()).exactOptional(),
    monotonic: z.array(z.number()).exactOptional(),
    random: base64.exactOptional(),
    uuid: z.array(text).exactOptional(),
    bytes: z.array(base64).exactOptional(),
    facts: z.array(z.strictObject({ name: text, value })).exactOptional(),
  }),
  z.strictObject({ kind: z.literal('signal'), name, value: value.exactOptional(), at, ...inTick }),
  z.strictObject({ kind: z.literal('preamble'), value, at }).meta({
    description: 'How a session that the run uses was opened, such as one with an MCP server: "open", "server" and "answers".',
  }),
  z
    .strictObject({
      kind: z.literal('stand-in'),
      of: z.enum(['email', 'card', 'phone', 'account', 'secret']),
      text,
      variables: z.array(text).exactOptional(),
    })
    .meta({ description: 'A text that stands for a redacted value, before the first row that has it. They are numbered from 1.' }),
  z.strictObject({ kind: z.literal('checkpoint'), owner, name, by: z.literal('policy').exactOptional(), state: value, at }),
  z.strictObject({ kind: z.literal('note'), what: noteWord, where: text, at }),
  z.strictObject({
    kind: z.literal('end'),
    output: value.exactOptional(),
    error: error.exactOptional(),
    at,
    usage: usage.exactOptional(),
    overdue: z.array(z.strictObject(timerKey)).exactOptional(),
    given: z.array(z.strictObject({ part: text.exactOptional(), pieces: count, made: count, settled: count, tick: count })).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('closed'),
    until: at,
    by: z.enum(['done', 'time', 'runs', 'close', 'exit']).exactOptional(),
    overdue: z.array(z.strictObject(timerKey)).exactOptional(),
    turns,
    muted: count.exactOptional(),
  }),
] as const

/** The kinds of rows in a file. */
export const ROW_KINDS: readonly string[] = rows.flatMap((row) => [...row.shape.kind.values])

/** A line of a trace. */
export const rowSchema: z.ZodType<EncodedRow> = z.discriminatedUnion('kind', rows)

const body = {
  json: z.unknown().exactOptional(),
  text: text.exactOptional(),
  bytes: z.custom<Uint8Array>(isBytes, { error: 'bytes' }).meta({ format: 'bytes' }).exactOptional(),
}

const httpInput: z.ZodType<HttpInput> = z.strictObject({
  method: text.regex(token, { error: 'a method of HTTP' }),
  url,
  headers,
  redirect: z.enum(['manual', 'error']).exactOptional(),
  ...body,
})

const httpOutput: z.ZodType<HttpOutput> = z.strictObject({
  status: status.exactOptional(),
  ...headFields,
  headers: headers.exactOptional(),
  trailers: headers.exactOptional(),
  received: z.array(text.nullable()).exactOptional(),
  ...body,
})

const unset = z.unknown().exactOptional()

const failedAnswer = z.strictObject({ status, statusText: text, contentType: text, headers: headers.exactOptional(), body: text })

const failure: z.ZodType = z.strictObject({
  name,
  message: text,
  code: unset,
  cause: z.lazy(() => failure).exactOptional(),
  http: failedAnswer.exactOptional(),
})

const preamble = z.strictObject({
  open: z.strictObject({ name, input: unset }),
  server: name,
  answers: z.array(
    z.strictObject({
      method: name,
      params: unset,
      result: unset,
      error: unset,
      sessionId: text.exactOptional(),
      failure: failure.exactOptional(),
    }),
  ),
})

const exit = z.strictObject({ code: z.number().nullable(), signal: text.nullable(), killed: z.literal(true).exactOptional() })

const close = z.strictObject({ code: count.exactOptional(), reason: text.exactOptional() })

const answer = z.strictObject({ status, statusText: reason.exactOptional(), headers })

const metadata = z.array(z.tuple([text.regex(/^:?[\w!#$%&'*+.^`|~-]+$/, { error: 'the name of a header' }), headerValue]))

const ambientAnswer = z.strictObject({ boundary, name, input: unset, output: unset })

/**
 * Values with a form of their own, once their references are resolved: the input and output of a `model` or `http` step, the headers that a text
 * row holds, how a session was opened, an answer to a call that a process makes once for many runs, and chunks that are JSON: how a child process
 * or a WebSocket ended, the answer to a handshake, and the metadata of a gRPC call.
 */
export const valueSchemas: Readonly<Record<ValueForm, z.ZodType>> = {
  httpInput,
  httpOutput,
  headers,
  preamble,
  ambientAnswer,
  exit,
  close,
  answer,
  metadata,
}

/** The JSON Schema (draft 2020-12) of a line of a trace. */
export function toJsonSchema(): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(rowSchema, { target: 'draft-2020-12' })
  return { $schema, title: 'A line of a goldenrun trace, format 3', ...schema }
}
