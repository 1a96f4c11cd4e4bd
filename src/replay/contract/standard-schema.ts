/**
 * What zod (from 3.24), valibot (from 1.0), arktype (from 2.0) and others make: https://standardschema.dev, which says to copy what is needed
 * of it.
 */
export interface StandardSchema<Value = unknown> {
  /** Where such a schema is found, whoever made it. */
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult | Promise<SchemaResult>
    readonly types?: { readonly input: Value } | undefined
  }
}

/** What fits has no issues. */
export interface SchemaResult {
  readonly issues?: readonly SchemaIssue[] | undefined
}

/** What does not fit, and where. */
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
