import { knownOrMade } from '../trace/remember.ts'
import type { StandInRow } from '../trace/stand-in-row.ts'
import { luhnDigit } from './luhn.ts'
import { callingCode, plus } from './number-patterns.ts'
import type { FoundStandIn, Secret, Shape, StandIns } from './stand-in.ts'
import { lettersOf, type ListedStandIn, StandInList } from './stand-in-list.ts'
import { plain } from './plain.ts'
import { numberOfStandIn, standInText } from './stand-in-text.ts'
import { WrittenCharacters } from './written-characters.ts'

/** A stand-in that this redactor made, and what stayed of its secret where it came first: its stand-in is the same without that. */
interface MadeStandIn {
  readonly entry: ListedStandIn
  readonly prefix: string
  readonly suffix: string
  /** How its secret was written last, and its stand-in there: most secrets come again as they came before. */
  last?: { readonly written: string; readonly keptStart: number; readonly standIn: string }
}

/** The stand-ins of a trace that lists them, since format 3, and those that a redactor adds. */
export class ListedStandIns implements StandIns {
  readonly keepsForm = true
  readonly last: number
  readonly #list: StandInList
  readonly #onMade: ((row: StandInRow) => void) | undefined
  readonly #variablesIn: ((secret: string) => readonly string[]) | undefined
  readonly #ofIdentity = new Map<string, MadeStandIn>()
  /** The number to try next, by the form of the secret. */
  readonly #next = new Map<string, number>()

  /**
   * @param rows The list of a trace. Default: none.
   * @param variablesIn Returns the names of the environment variables that have a secret. Default: none have.
   * @param onMade Called for each new stand-in, before a text that has it is returned. Default: not called.
   */
  constructor(rows: Iterable<StandInRow> = [], variablesIn?: (secret: string) => readonly string[], onMade?: (row: StandInRow) => void) {
    this.#list = new StandInList(rows)
    this.last = this.#list.entries.length
    this.#variablesIn = variablesIn
    this.#onMade = onMade
  }

  get made(): number {
    return this.#list.entries.length - this.last
  }

  /** The rows that list them, those of the trace first. */
  get rows(): StandInRow[] {
    return this.#list.entries.map(rowOf)
  }

  find(text: string): FoundStandIn[] {
    return this.#list.find(text)
  }

  standInFor(secret: Secret): string {
    const { written } = secret
    const made = knownOrMade(this.#ofIdentity, secret.identity, () => this.#make(secret))
    const { entry, prefix, suffix, last } = made
    if (last?.written === written && last.keptStart === secret.kept.start) return last.standIn
    const { start, end } = keptOf(secret, prefix, suffix)
    const inner = printLike(entry, written.slice(start, written.length - end))
    const standIn = `${written.slice(0, start)}${inner}${written.slice(written.length - end)}`
    made.last = { written, keptStart: secret.kept.start, standIn }
    return standIn
  }

  standInForNumber(value: number, isTaken: Secret['isTaken']): number {
    const written = String(value)
    if (this.find(written).length > 0) return value
    const standIn = this.standInFor({ shape: 'word', written, kept: none, identity: written, ...(isTaken && { isTaken }) })
    if (String(Number(standIn)) === standIn) return Number(standIn)
    // A number with few digits cannot be told from others, and a word is no number.
    const { entry } = knownOrMade(this.#ofIdentity, `number ${written}`, () =>
      whole(this.#issueLonger('secret', (number) => `99990${number}`)),
    )
    return Number(entry.text)
  }

  rewrite(written: string, number: number): string {
    const entry = this.#list.entries[number - 1]
    return entry === undefined ? written : printLike(entry, written)
  }

  variablesOf(number: number): readonly string[] {
    return this.#list.entries[number - 1]?.variables ?? noNames
  }

  #make(secret: Secret): MadeStandIn {
    const { written, kept } = secret
    const prefix = written.slice(0, kept.start)
    return { entry: this.#makeEntry(secret), prefix, suffix: written.slice(written.length - kept.end) }
  }

  #makeEntry(secret: Secret): ListedStandIn {
    const { shape, written, kept, identity, isTaken } = secret
    const of = listedAs(shape)
    const own = numberOfStandIn(secret)
    const text = own === undefined ? undefined : standInText(secret, own)
    if (text !== undefined && this.#list.isFree(of, text)) return this.#issue(of, text, written)
    const form = formOf(shape, written.slice(kept.start, written.length - kept.end))
    for (let number = this.#next.get(form) ?? 1; ; number += 1) {
      const tried = standInText(secret, number)
      if (tried === undefined) break
      if (!this.#list.isFree(of, tried) || this.#ofIdentity.has(identityOf(shape, tried)) || isTaken?.(tried) === true) continue
      this.#next.set(form, number + 1)
      return this.#issue(of, tried, written)
    }
    // It cannot be told from other texts at this length: it gets longer.
    const digits = (number: number): string => String(number).padStart(5, '0')
    if (shape === 'email') return this.#issueLonger(of, (number) => `redacted${digits(number)}@mail.example`, written)
    if (shape !== 'card') return this.#issueLonger('secret', (number) => `REDACTED${digits(number)}`, written)
    return this.#issueLonger(
      of,
      (number) => {
        const body = `${identity.slice(0, 4)}9999${number}`
        return `${body}${luhnDigit(body)}`
      },
      written,
    )
  }

  #variablesOf(written: string): readonly string[] {
    const names = this.#variablesIn?.(written) ?? noNames
    return names.length > 0 || this.#variablesIn === undefined ? names : this.#variablesIn(decoded(written))
  }

  #issueLonger(of: StandInRow['of'], make: (number: number) => string, secret?: string): ListedStandIn {
    let number = this.#list.entries.length + 1
    while (!this.#list.isFree(of, make(number))) number += 1
    return this.#issue(of, make(number), secret)
  }

  #issue(of: StandInRow['of'], text: string, secret?: string): ListedStandIn {
    const names = secret === undefined ? noNames : this.#variablesOf(secret)
    const entry = this.#list.add(of, text, names.length === 0 ? undefined : names)
    this.#onMade?.(rowOf(entry))
    return entry
  }
}

const none = { start: 0, end: 0 }

function rowOf({ of, text, variables }: ListedStandIn): StandInRow {
  return { kind: 'stand-in', of, text, ...(variables && { variables }) }
}

const noNames: readonly string[] = []

/** Without the escapes of JSON and of URLs. */
function decoded(written: string): string {
  const unescaped = written
    .replaceAll(/\\u([\dA-Fa-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '')
  try {
    return decodeURIComponent(unescaped.replaceAll('+', ' '))
  } catch {
    return unescaped
  }
}

function whole(entry: ListedStandIn): MadeStandIn {
  return { entry, prefix: '', suffix: '' }
}

/** Returns how much stays of a secret: as much as where it came first. Another rule may have found it with its prefix, or without. */
function keptOf({ written, kept }: Secret, prefix: string, suffix: string): Secret['kept'] {
  if (prefix === '' && suffix === '') return none
  if (kept.start > 0 || kept.end > 0) return kept
  return written.startsWith(prefix) && written.endsWith(suffix) ? { start: prefix.length, end: suffix.length } : none
}

function listedAs(shape: Shape): StandInRow['of'] {
  return shape === 'email' || shape === 'card' || shape === 'phone' || shape === 'account' ? shape : 'secret'
}

/** Returns the identity that a value with this text would have. */
function identityOf(shape: Shape, text: string): string {
  return shape === 'email' ? text.toLowerCase() : plain(text)
}

/** The same for secrets that could have the same stand-in. */
function formOf(shape: Shape, secret: string): string {
  return `${shape} ${secret.replaceAll(/[A-Z]/g, 'A').replaceAll(/[a-z]/g, 'a').replaceAll(/\d/g, '0')}`
}

/** Prints a stand-in as a text is written: in its case, with its escapes and gaps. */
function printLike(entry: ListedStandIn, written: string): string {
  const { of, text, codes, gaps } = entry
  const [sign = ''] = of === 'phone' ? (phoneSign.exec(written) ?? []) : []
  const rest = written.slice(sign.length)
  const own = lettersOf(rest, of)
  // Digits before those of a phone number are a calling code without its sign.
  const surplus = of === 'phone' ? Math.max(0, own.codes.length - codes.length) : 0
  const isGrouped = of === 'card' || of === 'phone' || of === 'account'
  const isAlike = own.codes.length === codes.length + surplus && (isGrouped || own.gaps.every((gap, index) => gap === gaps[index]))
  if (!isAlike) return of === 'email' ? text.replace('@', /@|%40|\\+u0040/i.exec(written)?.[0] ?? '@') : text
  let printed = sign
  let index = -surplus
  const reader = new WrittenCharacters(rest)
  while (reader.next()) {
    if (!reader.isLetter) {
      printed += rest.slice(reader.start, reader.end)
      continue
    }
    const code = codes[index] ?? zero
    const isUpper = of === 'email' && reader.code >= 65 && reader.code <= 90 && code >= 97 && code <= 122
    printed += reader.write(isUpper ? code & ~32 : code)
    index += 1
  }
  return printed
}

const zero = 48

/** What stays of a phone number: its calling code. */
const phoneSign = new RegExp(`^(?:${plus}${callingCode}|1[ .-](?=\\(?\\d{3}))`)
