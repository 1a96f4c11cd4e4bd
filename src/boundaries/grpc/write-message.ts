/**
 * Encodes a message that `readMessage` has read. Its texts may have changed, for example by redaction.
 *
 * @throws TypeError if it is not such a message.
 */
export function writeMessage(message: unknown): Uint8Array {
  const fields = fieldsOf(message)
  if ('$json' in fields) return Buffer.from(JSON.stringify(fields['$json']))
  if (typeof fields['$text'] === 'string') return Buffer.from(fields['$text'])
  if (typeof fields['$bytes'] === 'string') return Buffer.from(fields['$bytes'], 'latin1')
  return writeFields(fields)
}

function writeFields(message: Readonly<Record<string, unknown>>): Buffer {
  const listed = message['$fields']
  const fields = Array.isArray(listed) ? (listed as [number, unknown][]) : Object.entries(message).flatMap(timesOf)
  return Buffer.concat(fields.map(([number, value]) => writeField(BigInt(number), value)))
}

/** Returns the occurrences of a field. A repeated field is an array. */
function timesOf([number, value]: [string, unknown]): [number, unknown][] {
  return Array.isArray(value) ? value.map((each: unknown): [number, unknown] => [Number(number), each]) : [[Number(number), value]]
}

function writeField(number: bigint, value: unknown): Buffer {
  if (typeof value === 'number') return tagged(number, 0n, varint(BigInt(value)))
  if (typeof value === 'string') return withLength(number, Buffer.from(value))
  const fields = fieldsOf(value)
  if (typeof fields['$varint'] === 'string') return tagged(number, 0n, varint(BigInt(fields['$varint'])))
  if ('$fixed64' in fields) return tagged(number, 1n, fixed(fields['$fixed64'], 8))
  if ('$fixed32' in fields) return tagged(number, 5n, fixed(fields['$fixed32'], 4))
  if (typeof fields['$bytes'] === 'string') return withLength(number, Buffer.from(fields['$bytes'], 'latin1'))
  return withLength(number, writeFields(fields))
}

function tagged(number: bigint, wireType: bigint, content: Buffer): Buffer {
  return Buffer.concat([varint((number << 3n) | wireType), content])
}

function withLength(number: bigint, content: Buffer): Buffer {
  return tagged(number, 2n, Buffer.concat([varint(BigInt(content.length)), content]))
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

function fixed(value: unknown, length: 4 | 8): Buffer {
  if (typeof value === 'string') return Buffer.from(value, 'hex')
  const bytes = Buffer.alloc(length)
  if (length === 8) bytes.writeDoubleLE(Number(value))
  else bytes.writeFloatLE(Number(value))
  return bytes
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>
  throw new TypeError('not a decoded message')
}
