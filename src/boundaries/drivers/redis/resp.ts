/** The replies of a server in memory. Source: Redis serialization protocol specification, RESP2 and RESP3. */
export const resp = {
  ok: (): Buffer => Buffer.from('+OK\r\n'),
  nil: (): Buffer => Buffer.from('*-1\r\n'),
  simple: (text: string): Buffer => Buffer.from(`+${text}\r\n`),
  error: (text: string): Buffer => Buffer.from(`-${text}\r\n`),
  blobError: (text: string): Buffer => Buffer.from(`!${Buffer.byteLength(text)}\r\n${text}\r\n`),
  number: (value: number): Buffer => Buffer.from(`:${value}\r\n`),
  text: (value: string): Buffer => Buffer.from(`$${Buffer.byteLength(value)}\r\n${value}\r\n`),
  list: (items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from(`*${items.length}\r\n`), ...items]),
  /** RESP2 has no maps: there it is the list of keys and values. */
  map: (entries: readonly (readonly [string, Buffer])[], protocol: number): Buffer => {
    const parts = entries.flatMap(([key, value]) => [resp.text(key), value])
    return protocol === 3 ? Buffer.concat([Buffer.from(`%${entries.length}\r\n`), ...parts]) : resp.list(parts)
  },
} as const

/** Takes commands apart that come in pieces: each is a list of texts. */
export class CommandReader {
  #rest: Buffer = Buffer.alloc(0)

  /** The commands that are complete now. */
  read(bytes: Buffer): (readonly string[])[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const commands: (readonly string[])[] = []
    for (let command = this.#next(); command !== undefined; command = this.#next()) commands.push(command)
    return commands
  }

  #next(): readonly string[] | undefined {
    const cursor = { at: 0 }
    const count = this.#length(cursor)
    if (count === undefined) return undefined
    const parts: string[] = []
    while (parts.length < count) {
      const length = this.#length(cursor)
      if (length === undefined || this.#rest.length < cursor.at + length + 2) return undefined
      parts.push(this.#rest.toString('utf8', cursor.at, cursor.at + length))
      cursor.at += length + 2
    }
    this.#rest = this.#rest.subarray(cursor.at)
    return parts
  }

  /** The number in a line such as `*3` or `$5`. */
  #length(cursor: { at: number }): number | undefined {
    const end = this.#rest.indexOf('\r\n', cursor.at)
    if (end === -1) return undefined
    const length = Number(this.#rest.toString('latin1', cursor.at + 1, end))
    cursor.at = end + 2
    return length
  }
}
