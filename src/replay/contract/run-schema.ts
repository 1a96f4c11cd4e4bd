import type { CheckpointRow } from '../../trace/rows.ts'

/**
 * The expected shape of a run, as Standard Schemas (zod, valibot, arktype). They type the run's values and check them, but do not change
 * them: if a schema transforms, its input type counts.
 */
export interface RunSchema {
  /** What the agent returns. Default: the return type of the agent's code. */
  readonly output?: StandardSchema
  /**
   * The states of checkpoints, by their names. Default: a checkpoint without a schema may have any state; it is narrowed by name only if it
   * is listed.
   */
  readonly checkpoints?: Readonly<Record<string, StandardSchema>>
}

/** What a run with this schema returns; `Output` without a schema. */
export type OutputOf<Schema extends RunSchema, Output> = Schema extends { readonly output: infer Of extends StandardSchema }
  ? ValueOf<Of>
  : Output

/**
 * A checkpoint of a run with this schema. Its name determines the type of its state: `if (checkpoint.name === 'order-found')
 * checkpoint.state.order`. Without a schema of checkpoints it is any row.
 */
export type CheckpointOf<Schema extends RunSchema> = Schema extends {
  readonly checkpoints: infer Of extends Record<string, StandardSchema>
}
  ? NamedCheckpoint<Of> | (CheckpointRow & { readonly name: NotInSchema })
  : CheckpointRow

type NamedCheckpoint<Schemas extends Readonly<Record<string, StandardSchema>>> = {
  [Name in keyof Schemas & string]: CheckpointRow & { readonly name: Name; readonly state: ValueOf<Schemas[Name]> }
}[keyof Schemas & string]

/** Any other name. Needs its own type, because otherwise comparing names would not narrow the state. */
declare enum NotInSchema {
  name = 'not in the schema',
}

/**
 * The interface that zod (from 3.24), valibot (from 1.0), arktype (from 2.0) and others implement. Copied from https://standardschema.dev,
 * as it recommends.
 */
export interface StandardSchema<Value = unknown> {
  /** The key that all Standard Schemas share. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
    readonly types?: { readonly input: Value } | undefined
  }
}

/** The result of a check; a value that fits has no issues. */
interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** A problem, with its location. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type that a schema takes. */
type ValueOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input']

/** Whether a value is a Standard Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard: unknown = Reflect.get(value, '~standard')
  return typeof standard === 'object' && standard !== null && typeof Reflect.get(standard, 'validate') === 'function'
}
