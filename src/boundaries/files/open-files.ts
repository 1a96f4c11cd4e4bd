import { builtins } from '../../node/builtins.ts'
import { runOutside, type Scope } from '../../run/scope.ts'
import { bodyFromBytes } from '../../trace/body.ts'
import { opensToWrite, permissions } from './file-functions.ts'
import type { RunFiles } from './run-files.ts'
import { orElse } from '../../trace/or-else.ts'

/** A file that the run has open for writing. */
export interface OpenFile {
  readonly scope: Scope
  readonly files: RunFiles
  readonly path: string
  /** Where writing begins: the length of the file if it appends. */
  readonly from: number
  /** The previous content, unless opening empties the file. */
  readonly before: Uint8Array | undefined
  readonly isAppended: boolean
  /** The permissions of a new file, if they differ from Node's default. */
  readonly mode: unknown
  /** Called once nothing more will be written to the file. */
  readonly release: () => void
}

/** Describes a file to open; returns undefined if it is not opened for writing. Has to be called before the file is opened. */
export function toOpenFile(scope: Scope, files: RunFiles, path: string, flags: unknown, mode?: unknown): OpenFile | undefined {
  const { O_APPEND, O_TRUNC } = builtins.fs.constants
  const isNumber = typeof flags === 'number'
  if (!opensToWrite(flags)) return undefined
  const isAppended = isNumber ? (flags & O_APPEND) !== 0 : String(flags).includes('a')
  const isEmptied = isNumber ? (flags & O_TRUNC) !== 0 : String(flags).includes('w')
  const held = isEmptied ? undefined : contentOf(files, path)
  return {
    scope,
    files,
    path,
    from: isAppended ? (held?.length ?? 0) : 0,
    before: held ?? (isEmptied ? undefined : new Uint8Array()),
    isAppended,
    mode,
    release: (scope.run.mode === 'record' ? scope.run.left?.opens() : undefined) ?? (() => undefined),
  }
}

/** Makes what was written to the file a step, when the file is closed. @throws UnansweredFileStep */
export function closeFile(opened: OpenFile): void {
  try {
    compareWritten(opened)
  } finally {
    opened.release()
  }
}

function compareWritten({ scope, files, path, from, before, isAppended, mode }: OpenFile): void {
  const content = contentOf(files, path)
  // The file was removed or renamed while it was open.
  if (content === undefined) return
  if (before !== undefined && Buffer.compare(before, content) === 0) return
  const written = content.subarray(Math.min(from, content.length))
  files.change(scope, isAppended ? 'append' : 'write', path, {
    path,
    ...permissions(mode, 0o666),
    ...toInput(written, files.maxBytes),
  })
}

/** Returns what was written as an input. Only the beginning of long content is compared. */
export function toInput(written: Uint8Array, maxBytes: number): object {
  if (written.length <= maxBytes) return bodyFromBytes(written)
  return { size: written.length, ...bodyFromBytes(written.subarray(0, maxBytes)) }
}

function contentOf(files: RunFiles, path: string): Uint8Array | undefined {
  return orElse(() => runOutside(() => builtins.fs.readFileSync(files.place(path))), undefined)
}
