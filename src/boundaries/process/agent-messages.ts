import { textFromBytes } from '../../trace/body.ts'

/** Something that an agent wrote to a child process: a line of JSON, or all that it wrote before the child answered or the input ended. */
export type AgentMessage = { readonly json: unknown } | { readonly text: string } | { readonly bytes: Uint8Array }

const newline = 10

/**
 * Makes messages of what an agent writes. How it is cut into writes makes no difference: each line of JSON is a message, and anything else is one up to
 * where the child answers or the input ends.
 */
export class AgentMessages {
  readonly #tell: (message: AgentMessage) => void
  /** Lines that are not JSON. */
  #lines: Buffer[] = []
  /** The line that goes on. */
  #open: Buffer[] = []

  constructor(tell: (message: AgentMessage) => void) {
    this.#tell = tell
  }

  /** Whether something was written that is not a message yet. */
  get isOpen(): boolean {
    return this.#lines.length + this.#open.length > 0
  }

  add(bytes: Uint8Array): void {
    let start = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#open.push(Buffer.from(bytes.subarray(start, end + 1)))
      start = end + 1
      this.#endLine()
    }
    if (start < bytes.length) this.#open.push(Buffer.from(bytes.subarray(start)))
  }

  /** The child answers: what was written is a message, except for a line of JSON that goes on. */
  cut(): void {
    if (this.#open[0]?.[0] !== brace) this.#lines.push(...this.#open.splice(0))
    this.#flush()
  }

  /** Nothing follows. */
  end(): void {
    this.#endLine()
    this.#flush()
  }

  #endLine(): void {
    if (this.#open.length === 0) return
    const line = Buffer.concat(this.#open.splice(0))
    const json = line[0] === brace ? parsedJson(line) : undefined
    if (json === undefined) return void this.#lines.push(line)
    this.#flush()
    this.#tell({ json })
  }

  #flush(): void {
    if (this.#lines.length === 0) return
    const bytes = Buffer.concat(this.#lines.splice(0))
    const text = textFromBytes(bytes)
    this.#tell(text === undefined ? { bytes: new Uint8Array(bytes) } : { text })
  }
}

const brace = '{'.charCodeAt(0)

function parsedJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
