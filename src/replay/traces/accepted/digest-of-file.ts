import { readdirSync, readFileSync, statSync } from 'node:fs'
import { builtins } from '../../../node/builtins.ts'

/** A larger file is not read. Bytes. */
const LARGEST = 16_000_000

/** Returns the digest of bytes, whatever the line ends: the first 16 hexadecimal digits of their SHA-256. */
export function digestOf(bytes: Buffer): string {
  // In Latin-1, every byte is one character.
  const text = bytes.toString('latin1').replaceAll('\r\n', '\n')
  return builtins.crypto.createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex').slice(0, 16)
}

/** The same of a file; undefined if it is none that can be read. A pipe or a device might never end. */
export function digestOfFile(file: string): string | undefined {
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= LARGEST ? digestOf(readFileSync(file)) : undefined
  } catch {
    return undefined
  }
}

/** The same of the names in a folder; undefined if it is none. */
export function digestOfFolder(folder: string): string | undefined {
  try {
    return digestOf(Buffer.from(readdirSync(folder).toSorted().join('\n')))
  } catch {
    return undefined
  }
}
