import { builtins } from '../../node/builtins.ts'
import { orElse } from '../../trace/or-else.ts'

/** What a shared library takes from others. */
export interface Imports {
  /** The functions that it calls and does not contain, without their versions. */
  readonly symbols: readonly string[]
  /** The libraries that it names, without their folders: `libpq.so.5`. */
  readonly libraries: readonly string[]
}

/** A table of symbols is at most this long, in bytes. The longest seen has 1.1 MB. */
const longest = 16_000_000

/**
 * Reads what a library of Linux imports. The dynamic linker needs this table, so it is there even in stripped files, and the system has just
 * read it. Undefined if the file is no 64-bit ELF file in little-endian order, or has no such table.
 *
 * @note Source: elf(5). Section headers: type 11 is SHT_DYNSYM, type 6 SHT_DYNAMIC. A symbol without a section is undefined here.
 */
export function readImports(file: string): Imports | undefined {
  const { closeSync, openSync, readSync } = builtins.fs
  const descriptor = orElse(() => openSync(file, 'r'), undefined)
  if (descriptor === undefined) return undefined
  try {
    return parse((position, length) => {
      const bytes = Buffer.alloc(Math.min(length, longest))
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position))
    })
  } catch {
    // A file that is cut off, or whose offsets lie beyond its end.
    return undefined
  } finally {
    closeSync(descriptor)
  }
}

type Read = (position: number, length: number) => Buffer

interface Section {
  readonly type: number
  readonly position: number
  readonly length: number
  /** The section with its names. */
  readonly link: number
}

function parse(read: Read): Imports | undefined {
  const header = read(0, 64)
  const isElf = header.toString('latin1', 0, 4) === '\x7FELF' && header[4] === 2 && header[5] === 1
  if (!isElf) return undefined
  const sections = readSections(read, header)
  const symbols = sections.find(({ type }) => type === 11)
  const names = sections[symbols?.link ?? -1]
  if (symbols === undefined || names === undefined || Math.max(symbols.length, names.length) > longest) return undefined
  const texts = read(names.position, names.length)
  const nameAt = (start: number): string => texts.toString('latin1', start, texts.indexOf(0, start))
  const dynamic = sections.find(({ type }) => type === 6)
  return {
    symbols: undefinedIn(read(symbols.position, symbols.length), nameAt),
    libraries: dynamic === undefined ? [] : neededIn(read(dynamic.position, dynamic.length), nameAt),
  }
}

function readSections(read: Read, header: Buffer): Section[] {
  const [size, count] = [header.readUInt16LE(58), header.readUInt16LE(60)]
  const table = read(Number(header.readBigUInt64LE(40)), size * count)
  return Array.from({ length: count }, (_, index) => {
    const entry = table.subarray(index * size)
    const at = (offset: number): number => Number(entry.readBigUInt64LE(offset))
    return { type: entry.readUInt32LE(4), position: at(24), length: at(32), link: entry.readUInt32LE(40) }
  })
}

function undefinedIn(table: Buffer, nameAt: (start: number) => string): string[] {
  const symbols: string[] = []
  for (let entry = 24; entry + 24 <= table.length; entry += 24)
    if (table.readUInt16LE(entry + 6) === 0) symbols.push(nameAt(table.readUInt32LE(entry)).replace(/@.*$/, ''))
  return symbols
}

function neededIn(table: Buffer, nameAt: (start: number) => string): string[] {
  const libraries: string[] = []
  for (let entry = 0; entry + 16 <= table.length; entry += 16)
    if (table.readBigInt64LE(entry) === 1n) libraries.push(nameAt(Number(table.readBigUInt64LE(entry + 8))))
  return libraries
}
