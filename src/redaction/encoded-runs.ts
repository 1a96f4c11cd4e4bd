import { isKeyMaterial } from './key-material.ts'

/** A run of base64 in a text. */
export interface EncodedRun {
  /** What its bytes are: a text, or a private key or key store. */
  readonly of: 'text' | 'key'
  /** Its bytes, one character per byte (latin1). */
  readonly decoded: string
  /** Its characters, without the line breaks and escapes between them. */
  readonly characters: string
  /** Where each of them starts and ends in the text. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** The fewest characters of a run: the base64 of a shorter text is hard to tell from a word. */
const shortestRun = 20

/** How many characters of base64 are decoded of one text. What follows is not searched. */
const mostDecoded = 400_000

/** How many characters at the start of a run show whether it is a text. */
const probed = 32

/** The value of each ASCII character of base64, by its code: of both alphabets. 64 for every other character. */
const values = ((): Uint8Array => {
  const table = new Uint8Array(128).fill(64)
  const characters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  for (let index = 0; index < characters.length; index += 1) table[characters.charCodeAt(index)] = index
  table['-'.charCodeAt(0)] = 62
  table['_'.charCodeAt(0)] = 63
  return table
})()

/**
 * Finds the runs of base64 that contain a text or a private key.
 *
 * @note Of other texts, only every 20th character and the word around it are read: a run is at least that long.
 */
export function findEncodedRuns(text: string): readonly EncodedRun[] {
  let found: EncodedRun[] | undefined
  let left = mostDecoded
  for (let place = shortestRun - 1; place < text.length && left > 0; place += shortestRun) {
    if (!isPart(text, place)) continue
    const start = startBefore(text, place)
    while (place + 1 < text.length && isPart(text, place + 1)) place += 1
    const end = place + 1
    if (end - start < shortestRun) continue
    const from = startOfRun(text, start, end)
    if (from === undefined) continue
    const run = readRun(text, from, left)
    left -= run.characters.length
    place = Math.max(place, run.ends.at(-1) ?? 0)
    if (run.decoded.length >= (shortestRun * 3) / 4) (found ??= []).push(run)
  }
  return found ?? none
}

const none: readonly EncodedRun[] = []

function valueAt(text: string, index: number): number {
  return values[text.charCodeAt(index)] ?? 64
}

function isPart(text: string, index: number): boolean {
  return valueAt(text, index) < 64
}

/** How many escaped signs are passed on the way back to the start of a run. */
const mostSigns = 4

/** Returns where the characters around a place start. The last letters of an escape before them look like a part of them. */
function startBefore(text: string, place: number): number {
  let start = place
  for (let signs = 0; ; signs += 1) {
    while (start > 0 && isPart(text, start - 1)) start -= 1
    const before = text[start - 1]
    if (before !== '\\' && before !== '%') return start
    if (signs === mostSigns || matchAt(sign, text, start - 1) === undefined)
      return start + (before === '%' ? 2 : text[start] === 'u' ? 5 : 1)
    start -= 1
  }
}

/** How many places in a run are tried as its start. */
const mostStarts = 16

/** Returns where a run of text or of a key starts: here, or behind a sign, because a path or a space in a form may come before it. */
function startOfRun(text: string, start: number, end: number): number | undefined {
  let from = start
  for (let tried = 0; tried < mostStarts && end - from >= shortestRun; tried += 1) {
    if (isText(text, from) || isKeyMaterial(text, from)) return from
    // A text may begin within a run: in a body that arrives in pieces.
    if (from < 3) from += 1
    else {
      while (from < end && valueAt(text, from) < 62) from += 1
      from += 1
    }
  }
  return undefined
}

/** Returns whether the first bytes of a run are those of a text in UTF-8. */
function isText(text: string, start: number): boolean {
  let following = 0
  // Each character completes a byte, except the first one of four.
  for (let index = start + 1; index < start + probed; index += 1) {
    const value = valueAt(text, index)
    if (value === 64) return following === 0
    const before = valueAt(text, index - 1)
    const place = (index - start) & 3
    if (place === 0) continue
    const byte =
      place === 1 ? (before << 2) | (value >> 4) : place === 2 ? ((before & 15) << 4) | (value >> 2) : ((before & 3) << 6) | value
    following = followingBytes(byte, following)
    if (following === -1) return false
  }
  return true
}

/** Returns how many bytes of a character still follow a byte; -1 if the byte is not part of a text. */
function followingBytes(byte: number, expected: number): number {
  if (expected > 0) return byte >= 0x80 && byte < 0xc0 ? expected - 1 : -1
  if (byte < 0x80) return byte >= 32 ? (byte === 127 ? -1 : 0) : byte === 9 || byte === 10 || byte === 13 ? 0 : -1
  if (byte < 0xc2 || byte > 0xf4) return -1
  return byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
}

/** A line break within a run, as such and escaped. */
const lineBreak = /(?:\\+r)?\\+n|\r?\n|(?:%0[Dd])?%0[Aa]/y
/** A character of base64 that JSON or a URL escapes. */
const sign = /\\+\/|%2[BbFf]|\\+u002[BbFf]/y
/** Lines of base64 have 60, 64 or 76 characters. */
const shortestLine = 60

/** A character that no text has. Bytes beyond ASCII belong to letters. */
const control = /[^\P{Cc}\t\n\r\u0080-\u009f]/u

function readRun(text: string, start: number, most: number): EncodedRun {
  const [starts, ends]: [number[], number[]] = [[], []]
  let characters = ''
  const take = (character: string, from: number, to: number): void => {
    characters += character
    starts.push(from)
    ends.push(to)
  }
  let line = 0
  for (let at = start; characters.length < most;) {
    if (isPart(text, at)) {
      take(text[at] ?? '', at, at + 1)
      at += 1
      continue
    }
    const escape = matchAt(sign, text, at)
    if (escape !== undefined) {
      take(/[Bb]$/.test(escape) ? '+' : '/', at, at + escape.length)
      at += escape.length
      continue
    }
    const length = characters.length - line
    const gap = length >= shortestLine && length % 4 === 0 ? matchAt(lineBreak, text, at) : undefined
    if (gap === undefined || !isPart(text, at + gap.length)) break
    line = characters.length
    at += gap.length
  }
  const bytes = Buffer.from(characters, 'base64').toString('latin1')
  if (isKeyMaterial(text, start)) return { of: 'key', decoded: bytes, characters, starts, ends }
  // Words may follow a run.
  const end = bytes.search(control)
  return { of: 'text', decoded: end === -1 ? bytes : bytes.slice(0, end), characters, starts, ends }
}

function matchAt(pattern: RegExp, text: string, index: number): string | undefined {
  pattern.lastIndex = index
  return pattern.exec(text)?.[0]
}
