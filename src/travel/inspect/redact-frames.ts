import { ReplayRedaction } from '../../replay/calls/replay-redaction.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import { isJsonArray, isJsonObject, type Json, type JsonObject, type PathKey } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import { special } from './describe-value.ts'
import type { Environment, EnvironmentMask } from './environment-mask.ts'
import type { InspectLimits } from './inspected-run.ts'

/** Redacts variables as their trace was redacted, masks values of environment variables, and cuts texts. */
export class FrameRedaction {
  readonly #redactor: Redactor
  readonly #environment: EnvironmentMask
  readonly #text: number

  constructor(trace: Trace, options: RedactOptions | undefined, environment: EnvironmentMask, limits: Pick<InspectLimits, 'text'>) {
    ;[this.#redactor, this.#environment, this.#text] = [new ReplayRedaction(trace, options).redactor, environment, limits.text]
  }

  /** Increases when more values are known to be secret: values redacted before may have to be redacted again. */
  get secrets(): number {
    return this.#redactor.secrets
  }

  /** Adds values of the agent's environment. */
  learnEnvironment(environment: Environment): void {
    this.#environment.learn(environment)
  }

  /** Redacts variables. The name of a variable counts like the name of a field. */
  redact(variables: JsonObject): JsonObject {
    const named = this.#byPlainNames(this.#mask(variables), [], false)
    return this.#cut(this.#redactor.value(named)) as JsonObject
  }

  /** Masks values of environment variables, including in names. */
  #mask(value: Json): Json {
    if (typeof value === 'string') return this.#environment.mask(value)
    if (typeof value === 'number') return this.#environment.maskOfNumber(value) ?? value
    if (isJsonArray(value)) return value.map((item) => this.#mask(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) =>
        name === '$' ? [name, this.#maskDescribed(field)] : [this.#environment.mask(name), this.#mask(field)],
      ),
    )
  }

  #maskDescribed(described: Json): Json {
    return isJsonObject(described) ? mapFields(described, (part, name) => (OWN_WORDS.has(name) ? part : this.#mask(part))) : described
  }

  /**
   * Redacts values by the plain name of their field where the description uses a different name: `#cookie` counts as `cookie`, and the text of a
   * `new String()` counts as the value of the field that holds it.
   *
   * @param at The plain names that lead to the value.
   * @param differs Whether the plain names differ from the names in the description.
   */
  #byPlainNames(value: Json, at: readonly PathKey[], differs: boolean): Json {
    if (typeof value === 'string' || typeof value === 'number') return differs ? this.#redactor.value(value, at) : value
    if (isJsonArray(value)) return value.map((item, index) => this.#byPlainNames(item, [...at, index], differs))
    if (!isJsonObject(value)) return value
    return mapFields(value, (field, name) => {
      if (name === '$') return this.#special(field, at)
      const plain = plainName(name)
      return this.#byPlainNames(field, [...at, plain], differs || plain !== name)
    })
  }

  /** A description under `$` replaces the value that it describes. */
  #special(described: Json, at: readonly PathKey[]): Json {
    if (!isJsonObject(described)) return described
    return mapFields(described, (part, name) => {
      if (IN_PLACE.has(name)) return this.#byPlainNames(part, at, true)
      if (name !== 'map' || !isJsonArray(part)) return part
      return part.map((entry) => (isJsonArray(entry) ? this.#entry(entry, at) : entry))
    })
  }

  /** A map's entry is redacted like a field whose name is the entry's key. */
  #entry([key = null, value = null]: readonly Json[], at: readonly PathKey[]): Json {
    const name = typeof key === 'string' || typeof key === 'number' ? key : '*'
    return [this.#byPlainNames(key, at, false), this.#byPlainNames(value, [...at, name], true)]
  }

  #cut(value: Json): Json {
    if (typeof value === 'string') return value.length <= this.#text ? value : cutText(value, this.#text, value.length)
    if (isJsonArray(value)) return value.map((item) => this.#cut(item))
    if (!isJsonObject(value)) return value
    const { $ } = value
    if (isJsonObject($) && typeof $['text'] === 'string') return cutText($['text'], this.#text, Number($['length']))
    return mapFields(value, (field) => this.#cut(field))
  }
}

/** Parts of a description that hold the value itself. */
const IN_PLACE: ReadonlySet<string> = new Set(['text', 'boxed', 'bigint', 'symbol', 'items', 'set'])

/** Returns `cookie` for the private `#cookie` and for `Symbol(cookie)`. */
function plainName(name: string): string {
  return /^Symbol\((.*)\)$/s.exec(name)?.[1] ?? name.replace(/^#/, '')
}

function cutText(text: string, most: number, length: number): Json {
  return special({ text: text.slice(0, most), length })
}

/** Parts of a description that contain only goldenrun's own words and counts. */
const OWN_WORDS: ReadonlySet<string> = new Set(['more', 'cycle', 'bytes', 'length', 'unread', 'object'])

function mapFields(value: JsonObject, change: (field: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, change(field, name)]))
}
