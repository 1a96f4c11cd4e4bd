import { z } from 'zod'
import { causes, inputParts } from '../src/divergence/divergence.ts'
import { adviceIds } from '../src/divergence/report/advice-ids.ts'
import type { JsonReport } from '../src/divergence/report/json-report.ts'

const text = z.string()
const count = z.int().min(0)
const cause = z.enum(causes)
const position = z.enum(['at', 'after']).meta({ description: 'Whether the divergence is at the step itself or after it.' })
const part = z.enum(inputParts)
const excerpt = z
  .strictObject({ before: text, changed: text, after: text })
  .meta({ id: 'Excerpt', description: 'A changed part of a text with its surroundings, escaped as in JSON.' })

const difference = z
  .strictObject({
    path: text.meta({ description: 'As in configuration: args.amount, messages[0].content; empty for the whole value.' }),
    part: part.exactOptional(),
    expected: z.unknown().optional().meta({ description: 'The value in the trace; absent if it has no such field.' }),
    received: z.unknown().optional().meta({ description: 'The value in the run; absent if it has no such field.' }),
    changes: z.array(z.strictObject({ expected: excerpt, received: excerpt })).exactOptional(),
    moreChanges: count.exactOptional(),
    drawn: z.literal(true).exactOptional().meta({ description: 'Both values come from the clock or a random source.' }),
  })
  .meta({ id: 'Difference' })

const divergence = z.strictObject({
  cause,
  step: count.meta({ description: 'The recorded step at or after which the run differs; 0 for before the first.' }),
  position,
  boundary: text.exactOptional(),
  name: text.exactOptional(),
  parts: z.array(part),
  differences: z.array(difference),
  expected: text.exactOptional(),
  received: text.exactOptional(),
  before: count.exactOptional(),
  nearest: z.array(z.strictObject({ step: count, call: text, remark: text })),
  site: z.strictObject({ file: text, line: count, column: count }).exactOptional(),
  processState: text.exactOptional(),
  keptBefore: text.exactOptional().meta({ description: 'A header whose value the recorded process had kept from an earlier run.' }),
  heldBefore: z
    .literal(true)
    .exactOptional()
    .meta({ description: 'The same trace held earlier in this process: the difference is process state.' }),
})

const place = z.union([z.strictObject({ step: count }), z.strictObject({ checkpoint: text }), z.literal('outcome')])
const standIn = z
  .strictObject({
    place,
    path: text.meta({ description: 'As in configuration: args.to, messages[0].content.' }),
    kind: z.enum(['email', 'card', 'phone', 'secret']),
    expected: text.meta({ description: 'The stand-in in the trace.' }),
    received: text.meta({ description: 'The stand-in that the replay made for the value from the code.' }),
  })
  .meta({
    id: 'StandIn',
    description: 'A value from the code that was redacted on both sides: any other of its kind would have been equal.',
  })

const drawnValue = z
  .strictObject({
    place,
    path: text.meta({ description: 'As in configuration: args.id, headers.idempotency-key.' }),
    kind: z.enum(['time', 'number', 'id', 'bytes']),
    expected: text.meta({ description: 'The value in the trace.' }),
    received: text.meta({ description: 'The value in the replay.' }),
  })
  .meta({ id: 'DrawnValue', description: 'A value from the clock or a random source that was matched only by the order of the reads.' })

/** The output of `--json` for a run that does not hold, which tools may rely on. */
export const reportSchema: z.ZodType<JsonReport> = z
  .strictObject({
    format: z.literal(1),
    trace: z.strictObject({ name: text, agent: text, description: text.exactOptional(), expectedOutcome: text.exactOptional() }),
    headline: text,
    explanation: text,
    divergence: divergence.exactOptional(),
    message: text.exactOptional(),
    steps: z.array(
      z.strictObject({
        step: count.exactOptional(),
        boundary: text,
        call: text,
        result: text.exactOptional(),
        diverged: z.boolean(),
      }),
    ),
    consequences: z.array(z.strictObject({ cause, step: count, position, summary: text })),
    notes: z.array(text).meta({
      description:
        'Drift since the recording, options that match nothing, and values compared only as stand-ins or by the order of the reads.',
    }),
    standIns: z.array(standIn).exactOptional().meta({ description: 'Values that were compared only as stand-ins.' }),
    drawn: z
      .array(drawnValue)
      .exactOptional()
      .meta({ description: 'Values that were matched only by the order of their reads from the clock and random sources.' }),
    advice: z.array(z.strictObject({ id: z.enum(adviceIds), words: text, command: text.exactOptional() })),
    alsoIn: z.array(text).exactOptional().meta({ description: 'Other traces that differ in the same way.' }),
  })
  .meta({ title: 'A report of goldenrun, format 1' })

/** Returns the same schema as a JSON Schema. */
export function toReportJsonSchema(): Record<string, unknown> {
  return z.toJSONSchema(reportSchema, { target: 'draft-2020-12' })
}
