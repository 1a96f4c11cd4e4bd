import { isJsonObject } from '../world/json.ts'

/** A JSON Schema as this example derives it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/**
 * The narrowest JSON Schema of types that holds all `values`: every property that was seen is listed, and required where it was never
 * missing. Properties and types are sorted, so that the order of the values does not show.
 */
export function jsonSchemaOf(values: readonly unknown[]): JsonSchema {
  const types = [...new Set(values.map(typeOf))].toSorted()
  const objects = values.filter(isJsonObject)
  const items = values.filter((value) => Array.isArray(value)).flat()
  return {
    type: types.length === 1 ? types[0] : types,
    ...(types.includes('object') && objectSchema(objects)),
    ...(types.includes('array') && { items: items.length > 0 ? jsonSchemaOf(items) : {} }),
  }
}

function objectSchema(objects: readonly Readonly<Record<string, unknown>>[]): JsonSchema {
  const names = [...new Set(objects.flatMap((object) => Object.keys(object)))].toSorted()
  const valuesOf = (name: string): unknown[] => objects.filter((object) => name in object).map((object) => object[name])
  return {
    properties: Object.fromEntries(names.map((name) => [name, jsonSchemaOf(valuesOf(name))])),
    required: names.filter((name) => valuesOf(name).length === objects.length),
    additionalProperties: false,
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}
