import { readdirSync } from 'node:fs'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { TraceFormatError } from '../trace/errors/trace-format-error.ts'
import { printable } from '../trace/printable.ts'
import { GoldenNameError } from './errors/golden-name-error.ts'
import { isInWorkspace, realPath } from './workspace.ts'

/** The extension of a golden's file. */
export const GOLDEN_EXTENSION = '.jsonl'

/**
 * Explains why a golden's name is not the path of a file below `golden-traces/`: it leads elsewhere. Undefined if it is.
 */
export function problemOfPath(name: string): string | undefined {
  if (name === '') return 'it is empty'
  if (name.endsWith(GOLDEN_EXTENSION)) return 'the ".jsonl" of its file is added automatically, leave it out'
  const segments = name.split('/')
  if (segments.includes('..')) return 'it leads out of the folder (..)'
  if (segments.includes('')) return 'it starts or ends with a slash, or has two in a row'
  return name.includes('\0') ? 'it contains "\\u0000", which not every file system allows' : undefined
}

/**
 * Explains why a golden's name cannot be that of one file on every system. A valid name has segments between forward slashes; none of them leaves the
 * folder, hides the file, is the name of a device, or contains a character that some file system refuses or that is not shown.
 */
export function problemOfName(name: string): string | undefined {
  const segments = name.split('/')
  if (problemOfPath(name) !== undefined) return problemOfPath(name)
  if (segments.some((segment) => segment.startsWith('.'))) return 'a part of it starts with a dot'
  if (segments.some((segment) => segment.startsWith(' '))) return 'a part of it starts with a space'
  if (segments.some((segment) => /[. ]$/.test(segment))) return 'a part of it ends with a dot or a space'
  const [bad] = /[\\<>:"|?*\p{Cc}]/u.exec(name) ?? []
  if (bad !== undefined) return `it contains ${JSON.stringify(bad)}, which not every file system allows`
  if (!name.isWellFormed()) return 'it contains half a character, which not every file system allows'
  if (printable(name) !== name) return 'it contains a character that is not shown, or text that a CI service takes for a command'
  const device = segments.find((segment) => DEVICE.test(segment))
  if (device !== undefined) return `${JSON.stringify(device)} is a device on Windows`
  const longest = Math.max(...segments.map((segment) => Buffer.byteLength(segment)))
  return longest > 200 ? 'a part of it is longer than 200 bytes' : undefined
}

/** Names that Windows keeps for devices, whatever extension they have. @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³]) *(?:\.|$)/i

/**
 * Explains why a name is that of another file of the directory on some systems: macOS and Windows do not tell letters by their case, and macOS does
 * not tell a letter with an accent from a letter and an accent. Undefined if there is no such file.
 */
export function clashOfName(directory: string, name: string): string | undefined {
  const segments = `${name}${GOLDEN_EXTENSION}`.split('/')
  for (const [depth, segment] of segments.entries()) {
    const entries = entriesOf(path.join(directory, ...segments.slice(0, depth)))
    const other = entries.find((entry) => entry !== segment && folded(entry) === folded(segment))
    if (other === undefined || isOneFile(entries, segment, other)) continue
    const shown = displayPath(path.join(directory, ...segments.slice(0, depth), other))
    return `it differs from ${shown} only in the case or the encoding of its letters, and macOS and Windows make one file of both`
  }
  return undefined
}

/** Whether a file system that does not tell the names apart has listed the one file by another name. */
function isOneFile(entries: readonly string[], segment: string, other: string): boolean {
  return process.platform !== 'linux' && !entries.includes(segment) && entries.includes(other)
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/**
 * Checks a golden's file before it is read: a pull request may bring a name that no other system has, or a link to a file that is none of the
 * project's, whose text an error would quote. Any other file is left to its reader.
 *
 * @throws GoldenNameError, TraceFormatError
 */
export function checkGoldenFile(file: string): void {
  const whole = path.resolve(file)
  if (checked.has(whole)) return
  const [, directory, name] = GOLDEN.exec(whole.replaceAll(path.sep, '/')) ?? []
  if (directory === undefined || name === undefined) return
  const problem = problemOfName(name) ?? clashOfName(directory, name)
  if (problem !== undefined) throw new GoldenNameError(name, problem, displayPath(file))
  checkPlace(directory, file)
  checked.add(whole)
}

/** A replay reads its golden's file several times. */
const checked = new Set<string>()

/** @throws TraceFormatError for a link that leads out of the project. */
export function checkPlace(directory: string, file: string): void {
  // Most goldens lie where their path says.
  if (realPath(file) === path.resolve(file) || isInWorkspace(path.dirname(directory), file)) return
  throw new TraceFormatError({
    file: displayPath(file),
    problem: 'this is a link to a file outside of the project',
    advice: 'Remove the link, or put the file in its place.',
  })
}

const GOLDEN = /^(.*\/golden-traces)\/(.+)\.jsonl$/s
