import { realTimers } from './real-timers.ts'

/** Shorter values are equal by chance. */
const shortest = 8

/** How old a look at the environment may be, in milliseconds: a look takes longer than a recorded call. */
const lookEvery = 100

/** How many texts are remembered. */
const mostKnown = 1_000

/** An environment, by whose variables a text is known. */
export class Variables {
  /** The variables whose values are long enough, by their names. */
  readonly values: Readonly<Record<string, string>>
  readonly #names = new Map<string, readonly string[]>()
  readonly #known = new Map<string, readonly string[]>()

  /** @param values The values of variables by their names. Those of fewer than 8 characters are left out. */
  constructor(values: Readonly<Record<string, string | undefined>>) {
    const kept = Object.entries(values).filter((pair): pair is [string, string] => (pair[1]?.length ?? 0) >= shortest)
    this.values = Object.fromEntries(kept)
    for (const [name, value] of kept) for (const form of formsOf(value)) this.#names.set(form, [...(this.#names.get(form) ?? none), name])
  }

  /**
   * Returns the names of the variables whose value is this text, or a part of it between spaces and signs (`Bearer …`, `user:…`, also in base64), in
   * the order of the alphabet.
   */
  namesOf(text: string): readonly string[] {
    if (text.length < shortest || this.#names.size === 0) return none
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const found = new Set(partsOf(text).flatMap((part) => this.#names.get(part) ?? none))
    const names = found.size === 0 ? none : [...found].toSorted()
    if (this.#known.size >= mostKnown) this.#known.clear()
    this.#known.set(text, names)
    return names
  }

  /** Returns whether another environment has the same variables. */
  equals({ values }: Variables): boolean {
    const names = Object.keys(values)
    return names.length === Object.keys(this.values).length && names.every((name) => values[name] === this.values[name])
  }
}

/** Returns a variable's value as it is sent: whole, without the spaces around it, and what comes after a scheme (`Bearer …`). */
export function formsOf(value: string): ReadonlySet<string> {
  const trimmed = value.trim()
  const [, behind = trimmed] = /^[A-Za-z][\w-]* (\S+)$/.exec(trimmed) ?? []
  return new Set([value, trimmed, behind].filter(({ length }) => length >= shortest))
}

let current: Variables | undefined
let takenAt = -Infinity

/** Returns the environment of this process; the same object as long as nothing has changed. A change is seen 100 ms later at the latest. */
export function currentVariables(): Variables {
  const now = realTimers.now()
  if (current !== undefined && now - takenAt < lookEvery) return current
  takenAt = now
  const looked = new Variables(process.env)
  if (current?.equals(looked) !== true) current = looked
  return (current ??= looked)
}

/** Returns the names of this process's environment variables whose value is in a text: see `Variables`. */
export function variablesIn(text: string): readonly string[] {
  return currentVariables().namesOf(text)
}

/** Forgets the last look: the environment may have changed just now. */
export function forgetVariables(): void {
  takenAt = -Infinity
}

function partsOf(text: string): readonly string[] {
  const parts = text.split(/[\s:;,=&"]+/)
  // A slash may be part of a key, or come after one, as in AWS' signatures.
  return [text, ...parts, ...parts.flatMap((part) => (part.includes('/') ? part.split('/') : none)), ...parts.flatMap(partsOfBasic)]
}

/** The user and the password of Basic credentials. */
function partsOfBasic(text: string): readonly string[] {
  const [user = '', ...password] = /^[A-Za-z\d+/]{8,}={0,2}$/.test(text) ? Buffer.from(text, 'base64').toString('latin1').split(':') : []
  return password.length === 0 ? none : [user, password.join(':')]
}

const none: readonly string[] = []
