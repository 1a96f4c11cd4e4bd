import { isAbsolute, parse } from 'node:path'
import { OptionsError } from '../../trace/errors/options-error.ts'
import type { RecordedFiles } from '../../trace/run-row.ts'
import { toPathPattern } from './file-patterns.ts'
import { projectFolder } from './project-folder.ts'

/** Which files outside the project are recorded. A replay has them in a temporary tree and writes nothing elsewhere. */
export interface FilesOptions {
  /** Absolute path patterns: `/data/**`. Files below the working directory come with the code and are not recorded, unless a pattern names a folder in it. */
  readonly record: readonly string[]
  /** The longest content that is kept, in bytes. A replay fails to read a longer one. Default: 1,048,576. */
  readonly maxBytes?: number
}

const mebibyte = 1_048_576

/** Returns the options for a trace's header, without patterns of the project itself, which may be in a different folder in a replay. */
export function toRecordedFiles({ record, maxBytes = mebibyte }: FilesOptions): RecordedFiles {
  const project = projectFolder()
  const isOfProject = (pattern: string): boolean => {
    const { beginning } = toPathPattern(pattern)
    return beginning === project && beginning !== parse(project).root
  }
  return { record: record.filter((pattern) => !isOfProject(pattern)), maxBytes }
}

/** @throws OptionsError for patterns that are not absolute, and for a limit that is not a number. */
export function checkFilesOptions(caller: string, files: FilesOptions | undefined): void {
  if (files === undefined) return
  const { record, maxBytes = mebibyte } = files
  if (!Array.isArray(record) || !record.every((pattern) => typeof pattern === 'string' && isAbsolute(pattern)))
    throw new OptionsError(caller, 'files', "has to have a list of absolute patterns: files: { record: ['/data/**'] }.")
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) throw new OptionsError(caller, 'files.maxBytes', 'has to be a number of bytes.')
}
