import { isMachineVariable } from '../../boundaries/environment/machine-variables.ts'
import { ReplayRedaction } from '../../replay/calls/replay-redaction.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import type { Json } from '../../trace/json.ts'
import type { Trace } from '../../trace/trace.ts'
import { special } from './describe-value.ts'
import type { InspectLimits } from './inspected-run.ts'

/** Variables as `InspectedScope` has them. */
type Variables = Readonly<Record<string, Json>>

/** Redacts variables as their trace was redacted, masks values of the environment, and cuts texts. */
export class FrameRedaction {
  readonly #redaction: ReplayRedaction
  readonly #environment: EnvironmentMask
  readonly #text: number

  constructor(trace: Trace, options: RedactOptions | undefined, environment: EnvironmentMask, limits: Pick<InspectLimits, 'text'>) {
    ;[this.#redaction, this.#environment, this.#text] = [new ReplayRedaction(trace, options), environment, limits.text]
  }

  /** The names of variables count, like those of fields. */
  redact(variables: Variables): Variables {
    return this.#cut(this.#redaction.redactor.value(this.#mask(variables))) as Variables
  }

  #mask(value: Json): Json {
    return eachText(value, (text) => this.#environment.mask(text))
  }

  #cut(value: Json): Json {
    if (typeof value === 'string') return value.length <= this.#text ? value : cutText(value, this.#text, value.length)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((item) => this.#cut(item as Json))
    const { $ } = value as { readonly $?: Json }
    if (typeof $ === 'object' && $ !== null && 'text' in $ && typeof $['text'] === 'string')
      return cutText($['text'], this.#text, Number($['length']))
    return mapFields(value as Variables, (field) => this.#cut(field))
  }
}

/** Replaces values of environment variables by their names. */
export class EnvironmentMask {
  readonly #values: readonly (readonly [value: string, mask: string])[]

  /** @param environment Before anything has changed it: the values that the user's machine has. */
  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#values = Object.entries(environment)
      .filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1].length >= SHORTEST && !isMachineVariable(entry[0]))
      .filter(([name]) => !ORDINARY.test(name))
      .map(([name, value]) => [value, `<env ${name}>`] as const)
      .toSorted(([one], [other]) => other.length - one.length)
  }

  mask(text: string): string {
    let masked = text
    for (const [value, mask] of this.#values) if (masked.includes(value)) masked = masked.replaceAll(value, mask)
    return masked
  }
}

/** Shorter values are words and numbers that are everywhere. */
const SHORTEST = 6

/** The machine's surroundings, whose values are a part of paths and messages. */
const ORDINARY =
  /^(?:HOME|USERPROFILE|PWD|OLDPWD|INIT_CWD|USER|LOGNAME|USERNAME|HOSTNAME|LANG|LC_.*|TERM|TERM_.*|TZ|TMPDIR|TEMP|TMP|EDITOR|PAGER|COLORTERM|NODE|NODE_ENV|CI|_|npm_.*|VITEST.*|JEST_.*|SHLVL)$/

function cutText(text: string, most: number, length: number): Json {
  return special({ text: text.slice(0, most), length })
}

function eachText(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => eachText(item as Json, change))
  return mapFields(value as Variables, (field) => eachText(field, change), change)
}

function mapFields(value: Variables, change: (field: Json) => Json, changeName = (name: string): string => name): Variables {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [changeName(name), change(field)]))
}
