import { Lines } from './mcp-session.ts'

/**
 * Reads the data of server-sent events, the only field that an MCP client reads. Production loads this instead of the parser that reads the
 * streams of recordings. Source: HTML standard, "server-sent events".
 */
export class EventData {
  readonly #lines = new Lines()
  readonly #tell: (data: string) => void
  #data: string[] = []

  constructor(tell: (data: string) => void) {
    this.#tell = tell
  }

  add(bytes: Uint8Array): void {
    for (const line of this.#lines.add(bytes)) this.#addLine(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  #addLine(line: string): void {
    if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 'data: '.length : 'data:'.length))
    else if (line === '' && this.#data.length > 0) this.#tell(this.#data.splice(0).join('\n'))
  }
}
