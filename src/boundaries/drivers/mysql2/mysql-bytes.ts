import { textFromBytes } from '../../../trace/body.ts'
import { ByteReader, littleEndian } from '../wire-bytes.ts'
import type { MysqlValue } from './mysql-result.ts'

/** Reads the basic types of the protocol. Source: MySQL, "Basic Data Types". */
export class MysqlReader extends ByteReader {
  /** An integer whose first byte gives its length; null for NULL. */
  lengthCoded(): bigint | null {
    const first = this.int(1)
    if (first < 0xfb) return BigInt(first)
    if (first === 0xfb) return null
    return first === 0xfe ? this.long() : BigInt(this.int(first === 0xfc ? 2 : 3))
  }

  /** Length-prefixed bytes. */
  value(): MysqlValue {
    const length = this.lengthCoded()
    return length === null ? null : toTextIfPossible(this.bytes(Number(length)))
  }

  text(): string {
    return this.bytes(Number(this.lengthCoded() ?? 0)).toString()
  }
}

/** Writes a value in the form that `MysqlReader.value` reads. */
export function writeValue(value: MysqlValue): Buffer {
  if (value === null) return Buffer.of(0xfb)
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  return Buffer.concat([writeLength(bytes.length), bytes])
}

/** Writes an integer in the form that `MysqlReader.lengthCoded` reads. */
export function writeLength(value: number | bigint): Buffer {
  if (value < 0xfb) return Buffer.of(Number(value))
  if (value <= 0xffff) return Buffer.concat([Buffer.of(0xfc), littleEndian.int(Number(value), 2)])
  if (value <= 0xff_ffff) return Buffer.concat([Buffer.of(0xfd), littleEndian.int(Number(value), 3)])
  return Buffer.concat([Buffer.of(0xfe), littleEndian.long(BigInt(value))])
}

/** Bytes that are UTF-8 become text, whatever their column's type: text can be read, compared and redacted, and converts back to the same bytes. */
function toTextIfPossible(bytes: Buffer): string | Uint8Array {
  // A copy, since the socket's buffer is much larger.
  return textFromBytes(bytes) ?? Uint8Array.from(bytes)
}
