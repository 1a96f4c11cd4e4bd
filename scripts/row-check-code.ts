import type { core } from 'zod'

type Schema = core.$ZodType
type Definition = core.$ZodTypes['_zod']['def']
type JsonType = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object'

/** An inline check of a value: the condition under which it does not fit, and the misfit to return. */
interface Inline {
  readonly fails: (value: string) => string
  /** @param key The code of the value's key, or empty. */
  readonly misfit: (value: string, key: string) => string
}

/** How a value is checked: not at all, by inline conditions, or by a function. */
type Plan = { readonly inline: readonly Inline[] } | { readonly call: string }

/**
 * Writes the code that checks rows and the values in them, from the schema of rows and the schemas of values. A schema without a rule here is an
 * error: skipping it would accept what zod rejects.
 */
export function writeRowCheck(rows: Schema, values: Readonly<Record<string, Schema>> = {}): string {
  const writer = new CheckWriter()
  const definition = definitionOf(rows)
  if (definition.type !== 'union' || !('discriminator' in definition))
    throw new Error('The schema of rows has to be a discriminated union.')
  const checks = definition.options.map((row) => {
    const kind = kindOf(row)
    return `  [${literal(kind)}, ${writer.functionFor(row, `check-${kind}`)}],`
  })
  const valueChecks = Object.entries(values).map(([form, value]) => `  ${form}: ${writer.functionFor(value, `check-${form}`)},`)
  return [
    '// Written by scripts/write-row-check.ts from the schema of rows (trace-schema.ts). Neither edited nor committed.',
    "import type { ValueForm } from './trace-check.ts'",
    "import { isBase64, isBytes, isPath, isPattern, isUrl } from './formats.ts'",
    "import { isJsonObject, type Json } from './json.ts'",
    'import {',
    '  type Check, checkFields, integerMisfit, type Misfit, misfit, misfitOfType, otherFields, unionMisfit, within,',
    "} from './misfit.ts'",
    '',
    '/** The check of each kind of row. */',
    'export const rowChecks: ReadonlyMap<string, Check> = new Map<string, Check>([',
    ...checks,
    '])',
    '',
    '/** The check of each value with a form of its own. */',
    'export const valueChecks: Readonly<Record<ValueForm, Check>> = {',
    ...valueChecks,
    '}',
    '',
    ...writer.lines,
    '',
  ].join('\n')
}

class CheckWriter {
  readonly #constants: string[] = []
  readonly #functions: string[] = []
  readonly #names = new Map<Schema, string>()
  readonly #bodies = new Map<string, string>()
  readonly #patterns = new Map<string, string>()

  get lines(): readonly string[] {
    return [...this.#constants, ...this.#functions]
  }

  /** Returns the name of the function that checks what a schema describes. */
  functionFor(schema: Schema, hint: string): string {
    const known = this.#names.get(schema)
    if (known !== undefined) return known
    const name = `${hint.replaceAll(/[^A-Za-z\d]+(.)/g, (_, letter: string) => letter.toUpperCase())}${this.#names.size + 1}`
    // Registered before it is written, because a schema may contain itself.
    this.#names.set(schema, name)
    const body = this.#bodyOf(schema, hint)
    const code = body.join('\n')
    const same = this.#bodies.get(code) ?? name
    this.#bodies.set(code, same)
    this.#names.set(schema, same)
    if (same === name) this.#functions.push(`function ${name}(value: Json | undefined): Misfit | undefined {`, ...indent(body), '}', '')
    return same
  }

  #bodyOf(schema: Schema, hint: string): string[] {
    const definition = definitionOf(schema)
    const [check] = definition.type === 'string' || definition.type === 'number' ? [] : checksOf(schema)
    if (check !== undefined)
      throw new Error(`${hint}: there is no rule for the check ${checkOf(check).check}. Add one to scripts/row-check-code.ts.`)
    switch (definition.type) {
      case 'object':
        return this.#objectBody(definition, hint)
      case 'array':
        return this.#arrayBody(definition, hint)
      case 'tuple':
        return this.#tupleBody(definition, hint)
      case 'record': {
        const values = this.functionFor(definition.valueType, `${hint}-field`)
        return [`return checkFields(value, ${[values, ...this.#keyTest(definition.keyType)].join(', ')})`]
      }
      case 'union':
        return isChoice(definition) ? this.#choiceBody(definition, hint) : this.#unionBody(definition, hint)
      default:
        return [...this.#checkOf(schema, 'value', '', hint), 'return undefined']
    }
  }

  #objectBody({ shape, catchall }: core.$ZodObjectDef, hint: string): string[] {
    if (catchall === undefined || definitionOf(catchall).type !== 'never') throw new Error(`${hint}: objects have to be strict.`)
    const fields = Object.entries(shape)
    const inherited = fields.find(([key]) => key in {})
    if (inherited !== undefined) throw new Error(`${hint}: every object has a ${inherited[0]}. Rename the field.`)
    const set = `fields${this.#names.size}`
    this.#constants.push(`const ${set}: ReadonlySet<string> = new Set(${literal(fields.map(([key]) => key))})`)
    const lines = fields.flatMap(([key, field], index) => this.#fieldOf(key, field, `field${index}`, `${hint}-${key}`))
    const count = fields.filter(([, field]) => !isOptional(field)).length
    return [
      `if (!isJsonObject(value)) return misfit(value, 'an object')`,
      `let count = ${count}`,
      ...lines,
      `return otherFields(value, count, ${set})`,
    ]
  }

  #fieldOf(key: string, field: Schema, name: string, hint: string): string[] {
    const definition = definitionOf(field)
    const read = `const ${name} = value[${literal(key)}]`
    if (definition.type === 'optional') {
      const checks = this.#checkOf(definition.innerType, name, literal(key), hint)
      return [read, `if (${name} !== undefined) {`, '  count += 1', ...indent(checks), '}']
    }
    if (definition.type === 'unknown')
      return [`if (value[${literal(key)}] === undefined) return misfit(undefined, 'a value', ${literal(key)})`]
    return [read, ...this.#checkOf(field, name, literal(key), hint)]
  }

  #arrayBody({ element }: core.$ZodArrayDef, hint: string): string[] {
    const checks = this.#checkOf(element, 'item', 'index', `${hint}-item`)
    const loop = ['for (let index = 0; index < value.length; index += 1) {', '  const item = value[index] as Json', ...indent(checks), '}']
    return [`if (!Array.isArray(value)) return misfit(value, 'an array')`, ...(checks.length === 0 ? [] : loop), 'return undefined']
  }

  #tupleBody({ items, rest }: core.$ZodTupleDef, hint: string): string[] {
    if (rest !== null) throw new Error(`${hint}: tuples must not have a rest element.`)
    return [
      `if (!Array.isArray(value)) return misfit(value, 'a pair')`,
      `if (value.length < ${items.length}) return misfitOfType(value, 'at least ${items.length}')`,
      `if (value.length > ${items.length}) return misfitOfType(value, 'at most ${items.length}')`,
      ...items.flatMap((item, index) => [
        `const item${index} = value[${index}] as Json`,
        ...this.#checkOf(item, `item${index}`, String(index), `${hint}-${index}`),
      ]),
      'return undefined',
    ]
  }

  #keyTest(key: Schema): string[] {
    const checks = checksOf(key)
    const [check] = checks
    if (definitionOf(key).type !== 'string' || checks.length > 1) throw new Error('Keys have to be texts with one pattern at most.')
    return check === undefined ? [] : [`(key) => ${this.#pattern(check)}.test(key)`]
  }

  /** Writes the check of an object whose alternatives differ in one field. */
  #choiceBody(definition: core.$ZodDiscriminatedUnionDef, hint: string): string[] {
    const { discriminator, options } = definition
    const branches = options.flatMap((option) => {
      const value = onlyValue(option, discriminator)
      return [`  case ${literal(value)}:`, `    return ${this.functionFor(option, `${hint}-${String(value)}`)}(value)`]
    })
    const field = `value[${literal(discriminator)}]`
    return [
      `if (!isJsonObject(value)) return misfit(value, 'an object')`,
      `switch (${field}) {`,
      ...branches,
      '  default:',
      `    return misfit(${field}, ${literal(messageOf(definition))}, ${literal(discriminator)})`,
      '}',
    ]
  }

  /** Writes the check by the type of the value: alternatives with a different type are irrelevant. */
  #unionBody(definition: core.$ZodUnionDef, hint: string): string[] {
    const expected = literal(messageOf(definition))
    const byType = Map.groupBy(
      definition.options.flatMap((option) => typesOf(option).map((type) => ({ type, option }))),
      ({ type }) => type,
    )
    const branches = [...byType].flatMap(([type, entries]) => {
      const calls = entries.map(({ option }, index) => ({ name: `misfit${index}`, call: this.functionFor(option, `${hint}-${type}`) }))
      return [
        `if (${typeTest(type, 'value')}) {`,
        ...calls.flatMap(({ name, call }) => [`  const ${name} = ${call}(value)`, `  if (${name} === undefined) return undefined`]),
        `  return unionMisfit(value, ${expected}, [${calls.map(({ name }) => name).join(', ')}])`,
        '}',
      ]
    })
    return [...branches, `return misfit(value, ${expected})`]
  }

  /** Returns the statements that check a variable's value and return what is wrong with it. `key` is code, or empty. */
  #checkOf(schema: Schema, value: string, key: string, hint: string): string[] {
    const plan = this.#planOf(schema, hint)
    if ('inline' in plan) return plan.inline.map(({ fails, misfit }) => `if (${fails(value)}) return ${misfit(value, key)}`)
    const inner = `${value}Misfit`
    return [
      `const ${inner} = ${plan.call}(${value})`,
      `if (${inner} !== undefined) return ${key === '' ? inner : `within(${inner}, ${key})`}`,
    ]
  }

  #planOf(schema: Schema, hint: string): Plan {
    const definition = definitionOf(schema)
    switch (definition.type) {
      case 'unknown':
        return { inline: [] }
      case 'string':
        return { inline: [ofType('string', 'text'), ...checksOf(schema).map((check) => this.#textCheck(check, schema))] }
      case 'number':
        return { inline: [numberCheck(schema)] }
      case 'custom':
        return { inline: [{ fails: (value) => `!${refinementOf(schema)}(${value})`, misfit: misfitCode('misfit', messageOf(definition)) }] }
      case 'boolean':
        return { inline: [ofType('boolean', 'a value')] }
      case 'null':
        return { inline: [ofType('null', 'a value')] }
      case 'literal':
        return { inline: [oneOf(definition.values)] }
      case 'enum':
        return { inline: [oneOf(Object.values(definition.entries))] }
      case 'nullable':
        return { inline: this.#orNull(this.#planOf(definition.innerType, hint)) }
      case 'lazy':
        return { call: this.functionFor(definition.getter(), hint) }
      case 'union':
        return this.#plainUnion(definition) ?? { call: this.functionFor(schema, hint) }
      case 'object':
      case 'array':
      case 'tuple':
      case 'record':
        return { call: this.functionFor(schema, hint) }
      default:
        throw new Error(`${hint}: there is no rule for a schema of the type ${definition.type}. Add one to scripts/row-check-code.ts.`)
    }
  }

  #orNull(plan: Plan): Inline[] {
    if ('call' in plan || plan.inline.length !== 1) throw new Error('A nullable type has to be plain.')
    return plan.inline.map(({ fails, misfit }) => ({ misfit, fails: (value) => `${value} !== null && ${fails(value)}` }))
  }

  /** Plans a union of types without further checks. */
  #plainUnion(definition: core.$ZodUnionDef): Plan | undefined {
    if ('discriminator' in definition) return undefined
    const isPlain = definition.options.every((option) => plainTypes.has(definitionOf(option).type) && checksOf(option).length === 0)
    if (!isPlain) return undefined
    const types = definition.options.flatMap(typesOf)
    return {
      inline: [
        {
          fails: (value) => types.map((type) => `!(${typeTest(type, value)})`).join(' && '),
          misfit: misfitCode('misfit', messageOf(definition)),
        },
      ],
    }
  }

  #textCheck(check: core.$ZodChecks, schema: Schema): Inline {
    const def = checkOf(check)
    const misfit = misfitCode('misfitOfType', messageOf(def))
    if ((def.check as string) === 'custom') return { fails: (value) => `!${refinementOf(schema)}(${value})`, misfit }
    if (def.check === 'string_format' && def.format === 'base64') return { fails: (value) => `!isBase64(${value})`, misfit }
    const pattern = this.#pattern(check)
    return { fails: (value) => `!${pattern}.test(${value})`, misfit }
  }

  #pattern(check: core.$ZodChecks): string {
    const def = checkOf(check)
    const isKnown = def.check === 'string_format' && (def.format === 'regex' || def.format === 'datetime') && 'pattern' in def
    if (!isKnown || !(def.pattern instanceof RegExp))
      throw new Error(`There is no rule for the check ${def.check}. Add one to scripts/row-check-code.ts.`)
    const code = String(def.pattern)
    const name = this.#patterns.get(code) ?? `pattern${this.#patterns.size + 1}`
    if (!this.#patterns.has(code)) this.#constants.push(`const ${name}: RegExp = ${code}`)
    this.#patterns.set(code, name)
    return name
  }
}

const plainTypes: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'null'])

/** The functions of formats.ts that refine values in the schema, by the format that it declares. */
const refinements: ReadonlyMap<unknown, string> = new Map([
  ['regex', 'isPattern'],
  ['path', 'isPath'],
  ['url', 'isUrl'],
  ['bytes', 'isBytes'],
])

function refinementOf(schema: Schema): string {
  const { format } = (schema as Partial<core.$ZodType> & { meta(): { format?: unknown } | undefined }).meta() ?? {}
  const name = refinements.get(format)
  if (name === undefined)
    throw new Error(`A refinement has to have a format in its meta data that is one of ${[...refinements.keys()].join(', ')}.`)
  return name
}

function numberCheck(schema: Schema): Inline {
  const checks = checksOf(schema).map(checkOf)
  if (checks.length === 0) return ofType('number', 'a number')
  const isInteger = checks.some((check) => check.check === 'number_format' && check.format === 'safeint')
  const least = checks.find((check) => check.check === 'greater_than' && check.inclusive)
  const most = checks.find((check) => check.check === 'less_than' && check.inclusive)
  if (!isInteger || checks.length !== (most === undefined ? 2 : 3) || least?.check !== 'greater_than')
    throw new Error('Numbers have to be any, or whole and at least something.')
  const bounds = [String(least.value), ...(most?.check === 'less_than' ? [String(most.value)] : [])]
  const inBounds = (value: string): string =>
    bounds.map((bound, index) => `(${value} as number) ${index === 0 ? '>=' : '<='} ${bound}`).join(' && ')
  return {
    fails: (value) => `!(Number.isSafeInteger(${value}) && ${inBounds(value)})`,
    misfit: (value, key) => `integerMisfit(${[value, `[${bounds.join(', ')}]`, ...(key === '' ? [] : [key])].join(', ')})`,
  }
}

function ofType(type: JsonType, expected: string): Inline {
  return { fails: (value) => `!(${typeTest(type, value)})`, misfit: misfitCode('misfit', expected) }
}

function oneOf(values: readonly unknown[]): Inline {
  const expected = `${values.length > 1 ? 'one of ' : ''}${values.map((value) => JSON.stringify(value)).join(', ')}`
  return {
    fails: (name) => values.map((value) => `${name} !== ${literal(value)}`).join(' && '),
    misfit: misfitCode('misfit', expected),
  }
}

function misfitCode(name: string, expected: string): Inline['misfit'] {
  return (value, key) => `${name}(${[value, literal(expected), ...(key === '' ? [] : [key])].join(', ')})`
}

function typesOf(schema: Schema): JsonType[] {
  const definition = definitionOf(schema)
  switch (definition.type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return [definition.type]
    case 'literal':
      return [...new Set(definition.values.map((value) => typeof value as JsonType))]
    case 'object':
    case 'record':
      return ['object']
    case 'array':
    case 'tuple':
      return ['array']
    case 'union':
      return [...new Set(definition.options.flatMap(typesOf))]
    default:
      throw new Error(`A ${definition.type} cannot be an alternative. Add one to scripts/row-check-code.ts.`)
  }
}

function typeTest(type: JsonType, value: string): string {
  switch (type) {
    case 'null':
      return `${value} === null`
    case 'array':
      return `Array.isArray(${value})`
    case 'object':
      return `isJsonObject(${value})`
    case 'number':
      return `Number.isFinite(${value})`
    default:
      return `typeof ${value} === '${type}'`
  }
}

function kindOf(row: Schema): string {
  return String(onlyValue(row, 'kind'))
}

function onlyValue(object: Schema, key: string): unknown {
  const definition = definitionOf(object)
  const field = definition.type === 'object' ? definition.shape[key] : undefined
  const values = field === undefined ? undefined : definitionOf(field)
  if (values?.type !== 'literal' || values.values.length !== 1) throw new Error(`The field ${key} has to be one literal.`)
  return values.values[0]
}

function isOptional(schema: Schema): boolean {
  return definitionOf(schema).type === 'optional'
}

function isChoice(definition: core.$ZodUnionDef): definition is core.$ZodDiscriminatedUnionDef {
  return 'discriminator' in definition
}

function definitionOf(schema: Schema): Definition {
  const { _zod: internals } = schema as core.$ZodTypes
  return internals.def
}

function checkOf({ _zod: internals }: core.$ZodChecks): core.$ZodChecks['_zod']['def'] {
  return internals.def
}

/** Returns the checks of a value of the right type. If the schema is a check itself, that comes first. */
function checksOf(schema: Schema): core.$ZodChecks[] {
  const definition = definitionOf(schema)
  const own = 'check' in definition ? [schema as unknown as core.$ZodChecks] : []
  return [...own, ...((definition.checks ?? []) as core.$ZodChecks[])]
}

/** Returns the message of a schema's `error`. */
function messageOf({ error }: { readonly error?: unknown }): string {
  const message: unknown = typeof error === 'function' ? error({}) : undefined
  if (typeof message !== 'string') throw new Error('A type that is not plain needs an error that says what it has to be.')
  return message
}

function literal(value: unknown): string {
  return JSON.stringify(value)
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
