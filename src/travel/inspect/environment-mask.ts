import { isMachineVariable } from '../../boundaries/environment/machine-variables.ts'

/** Variables of an environment by name. */
export type Environment = Iterable<readonly [name: string, value: string | null | undefined]>

/** Replaces values of environment variables by the variables' names. */
export class EnvironmentMask {
  /** Names by the text that is looked for: the value unchanged, and its encoded forms. */
  readonly #masks = new Map<string, string>()
  #longestFirst: readonly (readonly [form: string, mask: string])[] | undefined

  /** @param environment Taken before anything changed it, so it has the values of the user's machine. */
  constructor(environment: Environment = []) {
    this.learn(environment)
  }

  /** Adds values: the agent's process may load more variables. */
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

  /** Returns the name for a number that is a variable's value; undefined for other numbers. */
  maskOfNumber(value: number): string | undefined {
    return this.#masks.get(String(value))
  }
}

/** Shorter values are not masked: they are numbers and words that occur everywhere. */
const SHORTEST = 4

/** Values of at least this length are also found inside words. */
const SURE = 6

/** The minimum length of a line of a multi-line value, and of an encoded value. */
const SHORTEST_PART = 8

/** Common values that are not secrets. */
const COMMON = /^(?:true|false|null|none|undefined|auto|info|warn|error|debug)$/i

/** Variables that describe the machine: their values are part of paths and messages. */
const ORDINARY =
  /^(?:HOME|USERPROFILE|PWD|OLDPWD|INIT_CWD|USER|LOGNAME|USERNAME|HOSTNAME|LANG|LC_.*|TERM|TERM_.*|TZ|TMPDIR|TEMP|TMP|EDITOR|PAGER|COLORTERM|NODE|NODE_ENV|CI|_|npm_.*|VITEST.*|JEST_.*|SHLVL)$/

/** Names of such variables that nevertheless hold a secret: `npm_config__authToken`. */
const SECRET_NAME = /(?:token|secret|password|passwd|auth|key|credentials?)$/i

function isLeftAlone(name: string, value: string): boolean {
  if (value.length < SHORTEST || COMMON.test(value)) return true
  return (isMachineVariable(name) || ORDINARY.test(name)) && !SECRET_NAME.test(name)
}

/** Returns the forms of a value: unchanged, as JSON, URLs, forms and numbers write it, each of its lines, and its usual encodings. */
function formsOf(value: string): Set<string> {
  const inJson = JSON.stringify(value).slice(1, -1)
  const forms = new Set([value, inJson, JSON.stringify(inJson).slice(1, -1), ...inUrls(value)])
  const number = Number(value)
  if (value.trim() !== '' && Number.isFinite(number) && String(number).length >= SHORTEST) forms.add(String(number))
  if (/^[+-]?\d+$/.test(value)) forms.add(String(BigInt(value.replace('+', ''))))
  const bytes = Buffer.from(value)
  const parts = [...value.split(/\r?\n/), ...inBase64(bytes, 'base64'), ...inBase64(bytes, 'base64url'), bytes.toString('hex')]
  for (const part of parts) if (part.length >= SHORTEST_PART) forms.add(part)
  return new Set([...forms].filter((form) => form.length >= SHORTEST))
}

/**
 * Returns the encoding of the whole value, and of what a longer text contains of it, by the number of bytes before it: `Basic …` encodes
 * `user:password`. The characters that the value shares with the text around it are left out.
 */
function inBase64(bytes: Buffer, encoding: 'base64' | 'base64url'): string[] {
  const inLonger = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString(encoding)
    return encoded.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3))
  })
  return [bytes.toString(encoding), ...inLonger]
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
