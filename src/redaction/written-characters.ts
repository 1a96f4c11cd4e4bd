/** How a character is written: as itself, as the bytes of its UTF-8 form (one character per byte), or escaped as in URLs and in JSON. */
export type WrittenForm = 'plain' | 'bytes' | 'percent' | 'escape'

const isWordCode = Uint8Array.from({ length: 128 }, (_, code) => Number(/[A-Za-z0-9]/.test(String.fromCharCode(code))))

/**
 * Reads a text character by character, whatever form each is written in: the same value has the same letters and digits in prose, in JSON, in JSON
 * within JSON, in a URL, and as bytes. Each `next` replaces what the one before told, so that reading a long text allocates nothing.
 */
export class WrittenCharacters {
  start = 0
  end: number
  code = 0
  /** Whether it is a letter or a digit of any language: what a stand-in replaces. Everything else is a gap, which stays. */
  isLetter = false
  form: WrittenForm = 'plain'
  #text = ''

  constructor(text: string, start = 0) {
    this.#text = text
    this.end = start
  }

  /** Starts again with another text. */
  read(text: string): this {
    this.#text = text
    this.end = 0
    return this
  }

  /** Returns false at the end of the text. */
  next(): boolean {
    const text = this.#text
    const start = (this.start = this.end)
    if (start >= text.length) return false
    const code = text.charCodeAt(start)
    if (code > 127) return this.#beyondAscii(code)
    if (code === 92) return this.#behindBackslash()
    if (code === 37 && this.#percent()) return true
    return this.#is(code, start + 1, 'plain', isWordCode[code] === 1)
  }

  #is(code: number, end: number, form: WrittenForm, isLetter = isLetterCode(code)): true {
    this.code = code
    this.end = end
    this.form = form
    this.isLetter = isLetter
    return true
  }

  #beyondAscii(code: number): true {
    const text = this.#text
    const length = code < 0xc2 || code > 0xf4 ? 0 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4
    const decoded = length === 0 ? undefined : decodeUtf8(length, (index) => text.charCodeAt(this.start + index))
    if (decoded !== undefined) return this.#is(decoded, this.start + length, 'bytes')
    const point = text.codePointAt(this.start) ?? code
    return this.#is(point, this.start + (point > 0xff_ff ? 2 : 1), 'plain')
  }

  /** A run of backslashes may be an escape within an escape. What it escapes decides: a line break is a gap, `\u0040` is a character. */
  #behindBackslash(): true {
    const text = this.#text
    let end = this.start + 1
    while (text.charCodeAt(end) === 92) end += 1
    const escaped = text[end] ?? ''
    if (escaped !== '' && 'nrtbf'.includes(escaped)) return this.#is(10, end + 1, 'escape', false)
    const code = escaped === 'u' ? hexAt(text, end + 1, 4) : undefined
    if (code === undefined) return this.#is(92, end, 'escape', false)
    const low = code >= 0xd8_00 && code < 0xdc_00 ? lowSurrogate.exec(text.slice(end + 5, end + 30)) : null
    if (low === null) return this.#is(code, end + 5, 'escape')
    return this.#is(((code - 0xd8_00) << 10) + Number.parseInt(low[1] ?? '', 16) - 0xdc_00 + 0x1_00_00, end + 5 + low[0].length, 'escape')
  }

  #percent(): boolean {
    const byteAt = (index: number): number => {
      const at = this.start + 3 * index
      return this.#text.charCodeAt(at) === 37 ? (hexAt(this.#text, at + 1, 2) ?? -1) : -1
    }
    const byte = byteAt(0)
    if (byte < 0) return false
    if (byte < 128) return this.#is(byte, this.start + 3, 'percent')
    const length = byte < 0xc2 || byte > 0xf4 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    const decoded = length === 0 ? undefined : decodeUtf8(length, byteAt)
    return decoded !== undefined && this.#is(decoded, this.start + 3 * length, 'percent')
  }

  /** Returns another character in the form of this one: as long as it, if its UTF-8 form is as long. */
  write(code: number): string {
    const character = String.fromCodePoint(code)
    if (this.form === 'plain') return character
    if (this.form === 'bytes') return String.fromCharCode(...new TextEncoder().encode(character))
    if (this.form === 'percent') return code < 128 ? `%${code.toString(16)}` : encodeURIComponent(character)
    const written = this.#text.slice(this.start, this.end)
    const backslashes = written.slice(0, written.indexOf('u'))
    return character
      .split('')
      .map((unit) => `${backslashes}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('')
  }
}

const lowSurrogate = /^\\+u(d[c-f][\da-f]{2})/i

function isLetterCode(code: number): boolean {
  return code < 128 ? isWordCode[code] === 1 : /[\p{L}\p{M}\p{N}]/u.test(String.fromCodePoint(code))
}

function hexAt(text: string, start: number, length: number): number | undefined {
  let code = 0
  for (let index = start; index < start + length; index += 1) {
    const digit = text.charCodeAt(index)
    const lower = digit | 32
    const value = digit >= 48 && digit <= 57 ? digit - 48 : lower >= 97 && lower <= 102 ? lower - 87 : -1
    if (value < 0) return undefined
    code = code * 16 + value
  }
  return code
}

/** Decodes the UTF-8 form of a character; undefined if the bytes are none. */
function decodeUtf8(length: number, byteAt: (index: number) => number): number | undefined {
  let code = byteAt(0) & (0xff >> (length + 1))
  for (let index = 1; index < length; index += 1) {
    const byte = byteAt(index)
    if ((byte & 0xc0) !== 0x80 || byte > 0xbf) return undefined
    code = (code << 6) | (byte & 0x3f)
  }
  const isShort = (length === 3 && code < 0x8_00) || (length === 4 && code < 0x1_00_00)
  return isShort || code > 0x10_ff_ff || (code >= 0xd8_00 && code < 0xe0_00) ? undefined : code
}
