import { textFromBytes } from '../../trace/body.ts'
import { losslessJson } from '../../trace/json.ts'

/** An agent's message to a child process: a line of JSON, or everything written before the child answered or the input ended. */
export type AgentMessage = { readonly json: unknown } | { readonly text: string } | { readonly bytes: Uint8Array }

const newline = 10

/** The maximum size of a piece of non-JSON text in bytes, so that a process that answers nothing does not fill the memory. */
const longestText = 2 ** 20

/** A longer line of JSON is treated as text. */
const longestLine = 2 ** 25

/**
 * Splits an agent's writes into messages. The boundaries between writes make no difference: each line of JSON is a message, and anything else
 * is one message up to the child's next answer or the end of the input.
 */
export class AgentMessages {
  readonly #tell: (message: AgentMessage) => void
  /** Lines that are not JSON. */
  #lines: Buffer[] = []
  /** The incomplete line. */
  #open: Buffer[] = []

  constructor(tell: (message: AgentMessage) => void) {
    this.#tell = tell
  }

  /** Whether bytes were written that are not a message yet. */
  get isOpen(): boolean {
    return this.#lines.length + this.#open.length > 0
  }

  /** The bytes that are not a message yet, as text; undefined if they are not text. */
  get openText(): string | undefined {
    return textFromBytes(Buffer.concat([...this.#lines, ...this.#open]))
  }

  add(bytes: Uint8Array): void {
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#open.push(Buffer.from(bytes.subarray(start, end + 1)))
      start = end + 1
      this.#endLine()
    }
    if (start < bytes.length) this.#open.push(Buffer.from(bytes.subarray(start)))
    this.#bound()
  }

  /** The child answers: what was written is a message, except for an incomplete line of JSON. */
  cut(): void {
    if (this.#open[0]?.[0] !== brace) this.#lines.push(...this.#open.splice(0))
    this.#flush()
  }

  /** The input ends. */
  end(): void {
    this.#endLine()
    this.#flush()
  }

  /** Cuts long text into pieces. Where they end depends only on the bytes. */
  #bound(): void {
    const open = lengthOf(this.#open)
    const isText = this.#open[0]?.[0] !== brace || open > longestLine
    if (lengthOf(this.#lines) + (isText ? open : 0) < longestText) return
    if (isText) this.#lines.push(...this.#open.splice(0))
    const rest = this.#tellPieces()
    if (rest.length > 0) this.#lines.push(rest)
  }

  #endLine(): void {
    if (this.#open.length === 0) return
    const line = Buffer.concat(this.#open.splice(0))
    const json = line[0] === brace ? losslessJson(line.toString('utf8')) : undefined
    if (json === undefined) return void this.#lines.push(line)
    this.#flush()
    this.#tell({ json })
  }

  #flush(): void {
    const rest = this.#tellPieces()
    if (rest.length > 0) this.#tellText(rest)
  }

  /** Reports all whole pieces of the text. Returns the rest. */
  #tellPieces(): Buffer {
    let rest = Buffer.concat(this.#lines.splice(0))
    for (; rest.length >= longestText; rest = rest.subarray(longestText)) this.#tellText(rest.subarray(0, longestText))
    return rest
  }

  #tellText(bytes: Buffer): void {
    const text = textFromBytes(bytes)
    this.#tell(text === undefined ? { bytes: new Uint8Array(bytes) } : { text })
  }
}

function lengthOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((length, piece) => length + piece.length, 0)
}

const brace = '{'.charCodeAt(0)
