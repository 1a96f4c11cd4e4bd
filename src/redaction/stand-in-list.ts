import { knownOrMade } from '../trace/remember.ts'
import type { StandInRow } from '../trace/stand-in-row.ts'
import { callingCode, phoneGap, plus } from './number-patterns.ts'
import { blankOf, type FoundStandIn, type StandInKind } from './stand-in.ts'
import { WrittenCharacters } from './written-characters.ts'

/** A stand-in of the list. */
export interface ListedStandIn {
  readonly number: number
  readonly of: StandInRow['of']
  readonly text: string
  /** The names of the environment variables that had its secret. */
  readonly variables?: readonly string[]
  /** Its letters and digits; those of an address in lower case. */
  readonly codes: readonly number[]
  /** Whether something else comes before each of them. */
  readonly gaps: readonly boolean[]
}

/** How many letters and digits identify the beginning of a stand-in. Every one has as many. */
const startLength = 4

/** Between two letters of a stand-in, at most this many characters of a text are not its own: line breaks and indentation. */
const longestGap = 24

/**
 * A list of stand-ins. Each has the form of its secret, so that nothing in its text says what it is; the list does. It is looked for in every form in
 * which a text may be written.
 */
export class StandInList {
  readonly entries: ListedStandIn[] = []
  /** The letters and digits of each, so that no two are alike. */
  readonly #letters = new Set<string>()
  /** Those of phone numbers without their leading zeros: a number that is written as at home has one more. */
  readonly #phones = new Set<string>()
  /** By their first letters, how many they have, and all of them. */
  readonly #starts = new Map<string, Map<number, Map<string, ListedStandIn>>>()
  /** Marks the hashes of their first letters. */
  #marks: Uint8Array | undefined

  constructor(rows: Iterable<StandInRow> = []) {
    for (const { of, text, variables } of rows) this.add(of, text, variables)
  }

  add(of: StandInRow['of'], text: string, variables?: readonly string[]): ListedStandIn {
    const { codes, gaps } = lettersOf(text, of)
    const entry: ListedStandIn = { number: this.entries.length + 1, of, text, codes, gaps, ...(variables && { variables }) }
    this.entries.push(entry)
    const folded = codes.map(lowerCase)
    this.#letters.add(keyOf(folded))
    if (of === 'phone') this.#phones.add(withoutZeros(folded))
    const first = folded.slice(0, startLength)
    const ofLength = knownOrMade(this.#starts, keyOf(first), () => new Map<number, Map<string, ListedStandIn>>())
    knownOrMade(ofLength, codes.length, () => new Map<string, ListedStandIn>()).set(keyOf(folded), entry)
    this.#marks ??= new Uint8Array(hashes)
    this.#marks[first.reduce(hashWith, 0)] = 1
    return entry
  }

  /** Returns whether no stand-in is like a text. */
  isFree(of: StandInRow['of'], text: string): boolean {
    const folded = lettersOf(text, of).codes.map(lowerCase)
    return !this.#letters.has(keyOf(folded)) && !(of === 'phone' && this.#phones.has(withoutZeros(folded)))
  }

  /** Finds the stand-ins in a text, in order. */
  find(text: string): FoundStandIn[] {
    if (this.#marks === undefined) return []
    const reader = shared.reader.read(text)
    const { starts, codes } = shared
    let found: FoundStandIn[] | undefined
    let [hash, count, end] = [0, 0, 0]
    while (reader.next()) {
      let one: FoundStandIn | undefined
      if (reader.form === 'percent' && reader.start >= end) one = this.#findBehindPercent(text, reader.start + 1)
      if (reader.isLetter && one === undefined) {
        const folded = lowerCase(reader.code)
        starts[count % startLength] = reader.start
        codes[count % startLength] = folded
        count += 1
        hash = hashWith(hash, folded)
        const start = starts[count % startLength] ?? 0
        if (this.#marks[hash] === 1 && count >= startLength && start >= end) one = this.#findAt(text, start, recentKey(count))
      }
      if (one === undefined) continue
      found ??= []
      found.push(one)
      end = one.end
    }
    return found ?? []
  }

  /** What looks like an escape may be a percent sign before a stand-in: in SQL, `LIKE '%4111…'`. */
  #findBehindPercent(text: string, start: number): FoundStandIn | undefined {
    const reader = new WrittenCharacters(text, start)
    const first: number[] = []
    while (first.length < startLength && reader.end - start < longestGap && reader.next())
      if (reader.isLetter) first.push(lowerCase(reader.code))
    return this.#marks?.[first.reduce(hashWith, 0)] === 1 ? this.#findAt(text, start, keyOf(first)) : undefined
  }

  /** Returns the longest stand-in that starts at a place, by reading on from there: thousands may begin alike. */
  #findAt(text: string, start: number, first: string): FoundStandIn | undefined {
    const ofLength = this.#starts.get(first)
    if (ofLength === undefined) return undefined
    const most = Math.max(...ofLength.keys())
    const reader = new WrittenCharacters(text, start)
    const read: ReadLetters = { codes: [], gaps: [], groupGaps: true }
    let found: FoundStandIn | undefined
    let gap = 0
    while (read.codes.length < most && gap <= longestGap && reader.next()) {
      if (!reader.isLetter) {
        gap += 1
        read.groupGaps &&= isGroupGap(reader.code)
        continue
      }
      read.codes.push(reader.code)
      read.gaps.push(gap > 0)
      gap = 0
      const entry = ofLength.get(read.codes.length)?.get(keyOf(read.codes.map(lowerCase)))
      if (entry === undefined || !isWritten(entry, read) || !isAlone(entry, text, start, reader.end)) continue
      const kind: StandInKind = entry.of === 'account' ? 'secret' : entry.of
      // The calling code is found with its number.
      const from = entry.of === 'phone' ? start - (beforeNumber.exec(text.slice(Math.max(0, start - 24), start))?.[0].length ?? 0) : start
      found = { start: from, end: reader.end, number: entry.number, kind, blank: blankOf(kind, text.slice(from, reader.end)) }
    }
    return found
  }
}

/** Used by each search: a text without stand-ins costs no memory. The last letters and where each starts, in turn. */
const shared = { reader: new WrittenCharacters(''), starts: new Uint32Array(startLength), codes: new Uint32Array(startLength) }

/** Returns the last letters, the oldest first. */
function recentKey(count: number): string {
  return keyOf(Array.from({ length: startLength }, (_, index) => shared.codes[(count + index) % startLength] ?? 0))
}

const hashes = 4096

/** Hashes the last four characters: earlier ones are shifted out. */
function hashWith(hash: number, code: number): number {
  return ((hash << 3) ^ code) % hashes
}

function keyOf(codes: readonly number[]): string {
  return String.fromCodePoint(...codes)
}

function withoutZeros(codes: readonly number[]): string {
  return keyOf(codes).replace(/^0+/, '')
}

function lowerCase(code: number): number {
  return code >= 65 && code <= 90 ? code | 32 : code
}

/** Returns the letters and digits of a text, and where something else comes before one. */
export function lettersOf(text: string, of: StandInRow['of']): Pick<ListedStandIn, 'codes' | 'gaps'> {
  const [codes, gaps]: [number[], boolean[]] = [[], []]
  const reader = new WrittenCharacters(text)
  let isGap = false
  while (reader.next()) {
    if (reader.isLetter) {
      codes.push(of === 'email' ? lowerCase(reader.code) : reader.code)
      gaps.push(isGap)
    }
    isGap = !reader.isLetter
  }
  return { codes, gaps }
}

/** The letters of a text from a place on, as in an entry. */
interface ReadLetters {
  readonly codes: number[]
  readonly gaps: boolean[]
  /** Whether everything between them may stand between the groups of a number. */
  groupGaps: boolean
}

/** Returns whether letters are those of a stand-in, with gaps where it may have some. */
function isWritten({ of, codes, gaps }: ListedStandIn, read: ReadLetters): boolean {
  if (of === 'email') return read.gaps.every((gap, index) => !gap || gaps[index] === true || index === 0)
  if (read.codes.some((code, index) => code !== codes[index])) return false
  if (of !== 'secret') return read.groupGaps
  return read.gaps.every((gap, index) => !gap || gaps[index] === true || index === 0)
}

/** Returns whether a part of a text is not a part of a longer word or number. */
function isAlone({ of, codes }: ListedStandIn, text: string, start: number, end: number): boolean {
  return mayStart(of, codes[0] ?? 0, text, start) && mayEnd(of, codes.at(-1) ?? 0, text, end)
}

function isGroupGap(code: number): boolean {
  return code === 32 || code === 40 || code === 41 || code === 43 || code === 45 || code === 46
}

/** A digit is not the first of a number if another one comes before it, and a letter is not the first of an address. */
function mayStart(of: StandInRow['of'], first: number, text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 24), start).replace(escapes, ' ')
  if (of === 'email') return !/\w[.+-]?$/.test(before)
  if (of === 'account') return !/[A-Za-z0-9]$/.test(before)
  if (first < 48 || first > 57 || !/\d$/.test(before)) return true
  return of === 'phone' && (/(?<![\d])0+$/.test(before) || afterCallingCode.test(before))
}

const afterCallingCode = new RegExp(`${plus}${callingCode}$`)

const beforeNumber = new RegExp(`(?:${plus}${callingCode}${phoneGap}|(?<!\\w)1[ .-]\\(?|(?<!\\d)0+)$`)

/** An escape at the end of a text: its letters belong to no word. */
const escapes = /(?:\\+[nrtbf]|\\+u[\dA-Fa-f]{4}|%(?!2[bB])[\dA-Fa-f]{2})$/

function mayEnd(of: StandInRow['of'], last: number, text: string, end: number): boolean {
  const after = text.slice(end, end + 24)
  // A number behind an address is a length: see `emails`.
  if (of === 'email') return !/^(?:[A-Za-z_-]|\d+[\w.-]|\.\w)/.test(after)
  if (of === 'account') return !/^[A-Za-z0-9]/.test(after)
  return last < 48 || last > 57 || !/^\d/.test(after)
}
