import type { Dirent, Stats } from 'node:fs'
import { dirname } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { bodyFromBytes } from '../../trace/body.ts'
import type { HttpBody } from '../../trace/rows.ts'

/** The state of a path when the run first used it. */
export type FileState =
  | FileContent
  | { readonly kind: 'directory'; readonly mode: number; readonly modified: number; readonly entries: readonly FileEntry[] }
  | { readonly kind: 'link'; readonly target: string }
  /** @param within The nearest existing folder. */
  | { readonly kind: 'absent'; readonly within: string }
  /** Node failed with this code. */
  | { readonly kind: 'error'; readonly code: string }

/** A file, with its content as JSON, text or bytes. */
export interface FileContent extends HttpBody {
  readonly kind: 'file'
  /** The file's permissions. */
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** The file's length in bytes, if its content was too long to keep. */
  readonly size?: number
  /** The error code, if Node failed to read the content. */
  readonly unreadable?: string
}

/** An entry of a folder. */
export interface FileEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link'
}

/** Reads the state of a path. Never throws. @param maxBytes The longest content that is kept. */
export function readState(path: string, maxBytes: number): FileState {
  const { fs } = builtins
  try {
    const stats = fs.lstatSync(path)
    return stats.isSymbolicLink() ? { kind: 'link', target: fs.readlinkSync(path) } : readStats(path, stats, maxBytes)
  } catch (error) {
    const code = codeOf(error)
    return code === 'ENOENT' ? { kind: 'absent', within: existing(dirname(path)) } : { kind: 'error', code }
  }
}

function readStats(path: string, stats: Stats, maxBytes: number): FileState {
  const facts = { mode: stats.mode & 0o7777, modified: stats.mtimeMs }
  if (stats.isDirectory()) return readDirectory(path, facts)
  if (!stats.isFile()) return { kind: 'error', code: 'ENOTSUP' }
  if (stats.size > maxBytes) return { kind: 'file', ...facts, size: stats.size }
  try {
    return { kind: 'file', ...facts, ...bodyFromBytes(builtins.fs.readFileSync(path)) }
  } catch (error) {
    return { kind: 'file', ...facts, unreadable: codeOf(error) }
  }
}

function readDirectory(path: string, facts: { readonly mode: number; readonly modified: number }): FileState {
  const entries = builtins.fs.readdirSync(path, { withFileTypes: true })
  return { kind: 'directory', ...facts, entries: entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })) }
}

function kindOf(entry: Dirent): FileEntry['kind'] {
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'file'
}

function existing(folder: string): string {
  return builtins.fs.existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder))
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return code ?? 'EIO'
}
