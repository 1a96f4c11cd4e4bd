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
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** A problem, and where it is. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type that a schema takes. */
export type ValueOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['input']

/** Whether a value is a Standard Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const standard: unknown = Reflect.get(value, '~standard')
  return typeof standard === 'object' && standard !== null && typeof Reflect.get(standard, 'validate') === 'function'
}
