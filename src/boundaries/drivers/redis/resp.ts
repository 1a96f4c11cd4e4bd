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
  /** RESP2 has no maps: it uses a list of keys and values. */
  map: (entries: readonly (readonly [string, Buffer])[], protocol: number): Buffer => {
    const parts = entries.flatMap(([key, value]) => [resp.text(key), value])
    return protocol === 3 ? Buffer.concat([Buffer.from(`%${entries.length}\r\n`), ...parts]) : resp.list(parts)
  },
} as const

/** Reads the command at the start of some bytes: a list of strings, and its length. Undefined if it is incomplete. */
export function readCommand(bytes: Buffer): { readonly command: readonly string[]; readonly length: number } | undefined {
  let at = 0
  /** The number in a line such as `*3` or `$5`. */
  const readNumber = (): number | undefined => {
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) return undefined
    const number = Number(bytes.toString('latin1', at + 1, end))
    at = end + 2
    return number
  }
  const count = readNumber()
  if (count === undefined) return undefined
  const command: string[] = []
  while (command.length < count) {
    const length = readNumber()
    if (length === undefined || bytes.length < at + length + 2) return undefined
    command.push(bytes.toString('utf8', at, at + length))
    at += length + 2
  }
  return { command, length: at }
}
