import type { CheckpointRow } from '../../trace/rows.ts'
import type { StandardSchema, ValueOf } from './standard-schema.ts'

/**
 * What a run is to give: Standard Schemas, as zod, valibot and arktype make them. They say which types the run's values have, and are held to
 * the values, which they leave as they are: where a schema transforms, it is what it takes that counts.
 */
export interface RunSchema {
  /** What the agent returns. Default: it has the type that the agent's code says. */
  readonly output?: StandardSchema
  /** The states of checkpoints, by their names. Default: a checkpoint that is not named may have any; to tell it by its name, name it. */
  readonly checkpoints?: Readonly<Record<string, StandardSchema>>
}

/** What a run with this schema returns, where without one it would return `Output`. */
export type OutputOf<Schema extends RunSchema, Output> = Schema extends { readonly output: infer Of extends StandardSchema }
  ? ValueOf<Of>
  : Output

/**
 * A checkpoint of a run with this schema. Its name says which state it has: `if (checkpoint.name === 'order-found') checkpoint.state.order`.
 * Without a schema of checkpoints it is any row.
 */
export type CheckpointOf<Schema extends RunSchema> = Schema extends {
  readonly checkpoints: infer Of extends Record<string, StandardSchema>
}
  ? NamedCheckpoint<Of> | (CheckpointRow & { readonly name: NotInSchema })
  : CheckpointRow

type NamedCheckpoint<Schemas extends Readonly<Record<string, StandardSchema>>> = {
  [Name in keyof Schemas & string]: CheckpointRow & { readonly name: Name; readonly state: ValueOf<Schemas[Name]> }
}[keyof Schemas & string]

/** Any other name. To the compiler it is one that none in the schema is, or comparing a name with one of those would not narrow the state. */
declare enum NotInSchema {
  name = 'not in the schema',
}
