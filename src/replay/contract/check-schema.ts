import { OptionsError, checkKnownOptions } from '../../trace/errors/options-error.ts'
import { toPath } from '../../trace/path.ts'
import type { Trace } from '../../trace/trace.ts'
import { SchemaError, type SchemaProblem } from './schema-error.ts'
import type { ReplayedRun } from './replayed-run.ts'
import { type RunSchema, type SchemaIssue, type StandardSchema, isStandardSchema } from './run-schema.ts'

/** The values of a run that are checked against a schema. */
interface Values {
  /** Absent if the run threw or never ended. */
  readonly returned?: { readonly output: unknown }
  readonly checkpoints: readonly { readonly name: string; readonly state: unknown }[]
}

/** @throws OptionsError if a part of the schema is not a Standard Schema. */
export function checkRunSchema(caller: string, schema: RunSchema): void {
  checkKnownOptions(`${caller}: schema`, schema, ['output', 'checkpoints'])
  const { output, checkpoints = {} } = schema
  const parts = Object.entries(checkpoints).map(([name, part]) => [toPath(['checkpoints', name], ''), part] as const)
  for (const [place, part] of [['output', output] as const, ...parts]) {
    if (part === undefined || isStandardSchema(part)) continue
    throw new OptionsError(
      caller,
      `schema.${place}`,
      'has to be a Standard Schema, such as one made with zod 3.24, valibot 1.0, arktype 2.0 or newer.',
    )
  }
}

/** @throws SchemaError if the recorded run does not fit. */
export async function checkRecorded(schema: RunSchema, trace: Trace): Promise<void> {
  const { end, checkpoints } = trace
  const returned = end === undefined || end.error !== undefined ? {} : { returned: { output: end.output } }
  await check(
    schema,
    trace,
    { ...returned, checkpoints },
    'the recorded run',
    'Correct the schema, or record the run again and promote it.',
  )
}

/**
 * Checks a replay's values against a schema. A diverged run is not checked, because its report says more.
 *
 * @throws SchemaError if it does not fit.
 */
export async function checkReplayed(schema: RunSchema, { trace, divergences, outcome, checkpoints }: ReplayedRun): Promise<void> {
  if (divergences.length > 0) return
  const returned = outcome.status === 'returned' ? { returned: { output: outcome.output } } : {}
  const advice = 'The recorded run matches it, but these places are not compared (ignore, normalize). Correct the agent, or the schema.'
  await check(schema, trace, { ...returned, checkpoints }, 'the replayed run', advice)
}

async function check(schema: RunSchema, { header }: Trace, values: Values, what: string, advice: string): Promise<void> {
  const problems = await problemsOf(schema, values)
  if (problems.length > 0) throw new SchemaError({ trace: header.golden?.name ?? header.id, what, problems, advice })
}

async function problemsOf({ output, checkpoints: states = {} }: RunSchema, { returned, checkpoints }: Values): Promise<SchemaProblem[]> {
  const problems: SchemaProblem[] = []
  if (output !== undefined && returned !== undefined) problems.push(...(await misfits(output, returned.output, 'output')))
  for (const { name, state } of checkpoints) {
    const schema = Object.hasOwn(states, name) ? states[name] : undefined
    if (schema === undefined) continue
    for (const misfit of await misfits(schema, state, 'state')) problems.push({ ...misfit, checkpoint: name })
  }
  return problems
}

async function misfits(schema: StandardSchema, value: unknown, root: string): Promise<SchemaProblem[]> {
  const { issues = [] } = await schema['~standard'].validate(value)
  return issues.map(({ message, path = [] }) => ({ path: toPath(keysOf(path), root), problem: message }))
}

function keysOf(path: NonNullable<SchemaIssue['path']>): (string | number)[] {
  return path.map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment
    return typeof key === 'symbol' ? String(key) : key
  })
}
