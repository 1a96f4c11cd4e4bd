import { isUtf8 } from 'node:buffer'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { inSlices } from '../node/in-slices.ts'
import { adviceFor } from '../trace/codec/decoder.ts'
import { TraceFormatError } from '../trace/errors/trace-format-error.ts'
import { TraceLimitError } from '../trace/errors/trace-limit-error.ts'
import { readingLimits } from './reading-limits.ts'
import { displayPath } from '../node/display-path.ts'
import { checkGoldenFile } from './golden-name.ts'
import { readJournal, withJournal } from './event-log/read-journal.ts'
import { isLog, readingLog } from './event-log/read-log.ts'
import { journalOf, LOG_EXTENSION } from './store-files.ts'
import type { StoredTrace } from './trace-store.ts'
import { writesUnderWay } from './writes-under-way.ts'

const LINE_FEED = 10

/** A character may take so many bytes of a file. Its characters are counted when it is read. */
const BYTES_OF_CHARACTER = 3

/**
 * Reads a trace's file: JSON lines, or a log with its journal. Undefined if there is none.
 *
 * @throws TraceFormatError if it is a directory, not UTF-8, or a corrupted log, which could otherwise be read as rows that were never
 * written. TraceVersionError for a log that a newer goldenrun wrote. GoldenNameError for a golden that not every system can have.
 */
export async function readTraceFile(file: string): Promise<StoredTrace | undefined> {
  const shown = displayPath(file)
  checkGoldenFile(file)
  await writesUnderWay.settled(path.dirname(file))
  // The journal is read before the log, so that a call missing in the log really has no row yet.
  const journal = file.endsWith(LOG_EXTENSION) ? await readJournal(journalOf(file)) : undefined
  const orMissing = (error: NodeJS.ErrnoException): undefined => undefinedIfMissing(error, shown)
  const about = await stat(file).catch(orMissing)
  if (about !== undefined) checkFile(about, shown)
  const bytes = about && (await readFile(file).catch(orMissing))
  const text = bytes && (isLog(bytes) ? await inSlices(readingLog(bytes, shown)) : decodeText(bytes, shown))
  const whole = journal === undefined ? text : withJournal(text, journal)
  return whole === undefined ? undefined : { file: shown, text: whole }
}

function undefinedIfMissing(error: NodeJS.ErrnoException, file: string): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
  const advice = 'Make the file readable, or remove it.'
  throw new TraceFormatError({ file, problem: `the file cannot be read: ${error.message}`, advice }, { cause: error })
}

/** Checks that it is a regular file. A link in a repository may lead anywhere: a device has no end, and a pipe blocks. */
function checkFile(about: Stats, file: string): void {
  const { traceBytes } = readingLimits()
  if (about.size > BYTES_OF_CHARACTER * traceBytes)
    throw new TraceLimitError({ part: 'the file', limit: 'traceBytes', bytes: traceBytes, file })
  if (about.isFile()) return
  const what = about.isDirectory() ? 'a directory' : about.isFIFO() ? 'a pipe' : 'a device or a socket'
  const name = file.endsWith(LOG_EXTENSION) ? 'Move it out of the store.' : 'Name a file in it.'
  const advice = about.isDirectory() ? name : 'Remove it, or the link that leads to it.'
  throw new TraceFormatError({ file, problem: `this is ${what}, not a trace`, advice })
}

/** Reads a trace's file synchronously. */
export function readTraceFileNow(file: string): StoredTrace {
  const shown = displayPath(file)
  checkGoldenFile(file)
  checkFile(statSync(file), shown)
  return { file: shown, text: decodeText(readFileSync(file), shown) }
}

/** @note A line torn by a crash may end within a character, so bytes after the last line feed are not checked here. */
function decodeText(bytes: Buffer, file: string): string {
  const whole = bytes.lastIndexOf(LINE_FEED) + 1
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    return decoder.decode(bytes.subarray(0, whole)) + bytes.toString('utf8', whole)
  } catch (error) {
    if (file.endsWith(LOG_EXTENSION)) {
      throw new TraceFormatError({ file, problem: 'the file is not a recording', advice: 'Restore it from a backup, or remove it.' })
    }
    const fault = { file, line: firstBadLine(bytes), problem: 'the line is not UTF-8' }
    throw new TraceFormatError({ ...fault, advice: adviceFor(false, file) }, { cause: error })
  }
}

function firstBadLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0, end = bytes.indexOf(LINE_FEED); end >= 0; start = end + 1, end = bytes.indexOf(LINE_FEED, start), line++) {
    if (!isUtf8(bytes.subarray(start, end))) return line
  }
  return line
}
