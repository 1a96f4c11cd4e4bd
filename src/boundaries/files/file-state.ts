import type { Dirent, Stats } from 'node:fs'
import { dirname } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { bodyFromBytes } from '../../trace/body.ts'
import type { HttpBody } from '../../trace/rows.ts'

/** What stood at a path when the run touched it first. */
export type FileState =
  | FileContent
  | { readonly kind: 'directory'; readonly mode: number; readonly modified: number; readonly entries: readonly FileEntry[] }
  | { readonly kind: 'link'; readonly target: string }
  /** @param within The nearest folder that exists. */
  | { readonly kind: 'absent'; readonly within: string }
  /** Node failed with this code. */
  | { readonly kind: 'error'; readonly code: string }

/** A file, with what it holds as JSON, text or bytes. */
export interface FileContent extends HttpBody {
  readonly kind: 'file'
  /** Its permissions. */
  readonly mode: number
  /** Milliseconds since the epoch. */
  readonly modified: number
  /** Its length in bytes, where its content was too long to keep. */
  readonly size?: number
  /** Node failed to read it with this code. */
  readonly unreadable?: string
}

/** What a folder holds under a name. */
export interface FileEntry {
  readonly name: string
  readonly kind: 'file' | 'directory' | 'link'
}

/** Reads what stands at a path. Never throws. @param maxBytes The longest content that is kept. */
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
