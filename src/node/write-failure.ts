import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { displayPath } from './display-path.ts'

/** Why the file system refuses to write, and what to do, by error code. */
const reasons: Readonly<Record<string, readonly [why: string, advice: string]>> = {
  EROFS: ['the file system is read-only', 'Mount it for writing, or run this in a folder that can be written.'],
  EACCES: ['you may not write there', 'Change the permissions of the folder, or run this in a folder that can be written.'],
  EPERM: ['you may not write there', 'Change the permissions of the folder, or run this in a folder that can be written.'],
  ENOSPC: ['the disk is full', 'Make room, and run this again.'],
  EDQUOT: ['your disk quota is used up', 'Make room, and run this again.'],
}

/** Says why something could not be written, and what to do: `the disk is full (ENOSPC). Make room, and run this again.` */
export function whyNotWritten(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = String(Reflect.get(error, 'code'))
  const known = reasons[code]
  return known === undefined ? error.message : `${known[0]} (${code}). ${known[1]}`
}

/**
 * Returns the error for something that could not be written.
 *
 * @param what What was to be written, and where.
 * @param error What the file system said. Any other error is returned unchanged.
 */
export function toWriteFailure(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new GoldenrunError('GOLDENRUN_WRITE', `Cannot write ${what}: ${whyNotWritten(error)}`, { cause: error })
}

/** Writes a file synchronously. @throws GoldenrunError `GOLDENRUN_WRITE` that names the file and the reason. */
export function writingNow<Result>(file: string, write: () => Result): Result {
  try {
    return write()
  } catch (error) {
    throw toWriteFailure(displayPath(file), error)
  }
}

/** Writes a file. @throws GoldenrunError `GOLDENRUN_WRITE` that names the file and the reason. */
export async function writing<Result>(file: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    throw toWriteFailure(displayPath(file), error)
  }
}
