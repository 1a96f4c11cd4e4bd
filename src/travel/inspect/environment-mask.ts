import { isMachineVariable } from '../../boundaries/environment/machine-variables.ts'

/** Variables of an environment by name. */
export type Environment = Iterable<readonly [name: string, value: string | null | undefined]>

/** Replaces values of environment variables by their names. */
export class EnvironmentMask {
  /** By what is looked for: the value as it is, and as other texts write it. */
  readonly #masks = new Map<string, string>()
  #longestFirst: readonly (readonly [form: string, mask: string])[] | undefined

  /** @param environment Before anything has changed it: the values that the user's machine has. */
  constructor(environment: Environment = []) {
    this.learn(environment)
  }

  /** Adds values: the agent's process may load some of its own. */
  learn(environment: Environment): void {
    for (const [name, value] of environment) {
      if (typeof value !== 'string' || isLeftAlone(name, value)) continue
      for (const form of formsOf(value)) if (!this.#masks.has(form)) this.#masks.set(form, `<env ${name}>`)
    }
    this.#longestFirst = undefined
  }

  mask(text: string): string {
    this.#longestFirst ??= [...this.#masks].toSorted(([one], [other]) => other.length - one.length)
    let masked = text
    for (const [form, mask] of this.#longestFirst) if (masked.includes(form)) masked = replaceForm(masked, form, mask)
    return masked
  }

  /** The name for a number that is a variable's value; undefined for others. */
  maskOfNumber(value: number): string | undefined {
    return this.#masks.get(String(value))
  }
}

/** Shorter values are numbers and words that are everywhere. */
const SHORTEST = 4

/** From this length on, a value is also found within a word. */
const SURE = 6

/** A line of a value with several, or an encoded value, from this length on. */
const SHORTEST_PART = 8

/** What many variables are set to, and no secret. */
const COMMON = /^(?:true|false|null|none|undefined|auto|info|warn|error|debug)$/i

/** The machine's surroundings, whose values are a part of paths and messages. */
const ORDINARY =
  /^(?:HOME|USERPROFILE|PWD|OLDPWD|INIT_CWD|USER|LOGNAME|USERNAME|HOSTNAME|LANG|LC_.*|TERM|TERM_.*|TZ|TMPDIR|TEMP|TMP|EDITOR|PAGER|COLORTERM|NODE|NODE_ENV|CI|_|npm_.*|VITEST.*|JEST_.*|SHLVL)$/

/** A variable of the machine that nevertheless holds a secret: `npm_config__authToken`. */
const SECRET_NAME = /(?:token|secret|password|passwd|auth|key|credentials?)$/i

function isLeftAlone(name: string, value: string): boolean {
  if (value.length < SHORTEST || COMMON.test(value)) return true
  return (isMachineVariable(name) || ORDINARY.test(name)) && !SECRET_NAME.test(name)
}

/** A value as it is, and as JSON, URLs, forms and numbers write it; each line of it, and its usual encodings as a whole. */
function formsOf(value: string): Set<string> {
  const inJson = JSON.stringify(value).slice(1, -1)
  const forms = new Set([value, inJson, JSON.stringify(inJson).slice(1, -1), ...inUrls(value)])
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number) && String(number).length >= SHORTEST) forms.add(String(number))
  if (/^[+-]?\d+$/.test(value)) forms.add(String(BigInt(value.replace('+', ''))))
  const bytes = Buffer.from(value)
  const parts = [...value.split(/\r?\n/), bytes.toString('base64'), bytes.toString('base64url'), bytes.toString('hex')]
  for (const part of parts) if (part.length >= SHORTEST_PART) forms.add(part)
  return new Set([...forms].filter((form) => form.length >= SHORTEST))
}

function inUrls(value: string): string[] {
  const escaped = encodeURIComponent(value.toWellFormed())
  const inForm = new URLSearchParams({ value }).toString().slice('value='.length)
  return [escaped, escaped.replaceAll('%20', '+'), inForm, encodeURI(value.toWellFormed())]
}

function replaceForm(text: string, form: string, mask: string): string {
  if (form.length >= SURE) return text.replaceAll(form, mask)
  return text.replaceAll(form, (found: string, at: number) => (isWithinWord(text, at, at + found.length) ? found : mask))
}

function isWithinWord(text: string, start: number, end: number): boolean {
  const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character)
  return (isWord(text[start - 1]) && isWord(text[start])) || (isWord(text[end]) && isWord(text[end - 1]))
}
