import { isPath, isPattern } from './formats.ts'
import { isJsonObject, type Json } from './json.ts'

/** What is used of JSON Schema to say what a row is (`row-shape.json`, made of the schema of rows). */
export interface Shape {
  readonly [keyword: string]: unknown
}

/** Whether a value is as a shape says. */
export type Fits = (value: Json) => boolean

/** Shapes that others refer to, by name. */
type Definitions = Readonly<Record<string, Shape>>

/**
 * Makes a check of a shape. It only says whether a value fits: where it does not, the schema says what is wrong.
 *
 * @throws Error for a keyword that it does not know: what it passed over would let in what the schema refuses.
 */
export function toFits(shape: Shape, definitions: Definitions = {}): Fits {
  const known = new Map<string, Fits>()
  const refer = (name: string): Fits => {
    const before = known.get(name)
    if (before !== undefined) return before
    // In place before it is made: a shape may hold itself.
    let fits: Fits = never
    known.set(name, (value) => fits(value))
    fits = make(definitions[name] ?? {})
    return fits
  }
  const make = (of: Shape): Fits => {
    const { type, additionalProperties, ...others } = of
    const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as string[]
    const checks = [
      ...(types.length === 0 ? [] : [ofTypes(types)]),
      ...('properties' in of
        ? [withProperties(of, make)]
        : additionalProperties === undefined
          ? []
          : [withValues(additionalProperties, make)]),
      ...Object.entries(others).flatMap(([keyword, wanted]) => ofKeyword(keyword, wanted, of, make, refer)),
    ]
    return allOf(checks)
  }
  return make(shape)
}

const never: Fits = () => false

type Make = (shape: Shape) => Fits

function ofKeyword(keyword: string, wanted: unknown, of: Shape, make: Make, refer: (name: string) => Fits): Fits[] {
  switch (keyword) {
    case '$ref':
      return [refer((wanted as string).replace('#/$defs/', ''))]
    case 'const':
      return [(value) => value === wanted]
    case 'enum':
      return [(value) => (wanted as Json[]).includes(value)]
    case 'minimum':
      return [(value) => (value as number) >= (wanted as number)]
    case 'maximum':
      return [(value) => (value as number) <= (wanted as number)]
    case 'anyOf':
    case 'oneOf':
      return [someOf((wanted as Shape[]).map(make))]
    case 'items':
      return typeof wanted === 'object' ? [withItems(make(wanted as Shape))] : []
    case 'prefixItems':
      return [asTuple((wanted as Shape[]).map(make))]
    case 'minItems':
      return [(value) => Array.isArray(value) && value.length >= (wanted as number)]
    case 'maxItems':
      return [(value) => Array.isArray(value) && value.length <= (wanted as number)]
    case 'propertyNames':
      return [withNames(make(wanted as Shape))]
    case 'format':
      return [ofFormat(wanted as string)]
    case 'pattern': {
      // Base64 may be long, and what its pattern is run over needs a stack of that length.
      if (of['format'] === 'base64') return []
      const pattern = new RegExp(wanted as string, 'u')
      return [(value) => pattern.test(value as string)]
    }
    case 'properties':
    case 'required':
    case 'contentEncoding':
      return []
    default:
      throw new Error(`fits-shape.ts does not know ${keyword}. Teach it, or leave it out of the schema.`)
  }
}

/** Each row of a trace is looked at: what is known of a shape is decided when its check is made. */
function allOf(checks: readonly Fits[]): Fits {
  const [only = always] = checks
  if (checks.length < 2) return only
  return (value) => {
    for (const fits of checks) if (!fits(value)) return false
    return true
  }
}

const always: Fits = () => true

function ofTypes(types: readonly string[]): Fits {
  return someOf(types.map(ofType))
}

function ofType(type: string): Fits {
  switch (type) {
    case 'null':
      return (value) => value === null
    case 'array':
      return (value) => Array.isArray(value)
    case 'object':
      return isJsonObject
    case 'integer':
      return (value) => Number.isSafeInteger(value)
    case 'number':
      return (value) => Number.isFinite(value)
    default:
      return (value) => typeof value === type
  }
}

/** @note Only what has all of its fields and no other is known here: `additionalProperties: false`. */
function withProperties(of: Shape, make: Make): Fits {
  if (of['additionalProperties'] !== false) throw new Error('fits-shape.ts knows objects of just their properties, or of any.')
  const fields = new Map(Object.entries(of['properties'] as Record<string, Shape>).map(([key, shape]) => [key, make(shape)]))
  const required = new Set(of['required'] as string[] | undefined)
  return (value) => {
    if (!isJsonObject(value)) return false
    let missing = required.size
    for (const key of Object.keys(value)) {
      if (fields.get(key)?.(value[key] as Json) !== true) return false
      if (required.has(key)) missing -= 1
    }
    return missing === 0
  }
}

function withValues(shape: unknown, make: Make): Fits {
  const fits = make(shape as Shape)
  return (value) => isJsonObject(value) && Object.values(value).every((field) => fits(field))
}

function withNames(fits: Fits): Fits {
  return (value) => isJsonObject(value) && Object.keys(value).every((key) => fits(key))
}

function withItems(fits: Fits): Fits {
  return (value) => Array.isArray(value) && value.every((item: Json) => fits(item))
}

function asTuple(each: readonly Fits[]): Fits {
  return (value) => Array.isArray(value) && value.length === each.length && each.every((fits, index) => fits(value[index] as Json))
}

function someOf(each: readonly Fits[]): Fits {
  const [only = never] = each
  if (each.length < 2) return only
  return (value) => {
    for (const fits of each) if (fits(value)) return true
    return false
  }
}

function ofFormat(format: string): Fits {
  switch (format) {
    case 'base64':
      return (value) => typeof value === 'string' && value.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(value)
    case 'regex':
      return (value) => typeof value === 'string' && isPattern(value)
    case 'path':
      return (value) => typeof value === 'string' && isPath(value)
    // Its pattern says it all.
    case 'date-time':
      return () => true
    default:
      throw new Error(`fits-shape.ts does not know the format ${format}. Teach it, or leave it out of the schema.`)
  }
}
