import { readFile } from 'node:fs/promises'
import type { CallRow } from '../../trace/rows.ts'
import { parseJson } from '../../trace/json.ts'

/** The lines of a journal: a run's header, and the side effects that it started. */
export interface Journal {
  readonly header: string | undefined
  readonly calls: readonly string[]
}

/** Reads the journal of a run. Undefined if there is none: the run has made no side effect, or its log is complete. */
export async function readJournal(file: string): Promise<Journal | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  // A failed append announced nothing: the call waited for the log instead.
  const lines = text?.split('\n').filter((line) => parseJson(line) !== undefined)
  if (lines === undefined || lines.length === 0) return undefined
  return { header: lines.find((line) => line.startsWith(HEADER)), calls: lines.filter((line) => line.startsWith(CALL)) }
}

/**
 * Returns the lines of a log, followed by the calls that only its journal has, as steps in flight.
 *
 * @param text The log's text; undefined if there is none.
 */
export function withJournal(text: string | undefined, { header, calls }: Journal): string | undefined {
  const begun = text ?? (header === undefined ? undefined : `${header}\n`)
  if (begun === undefined) return undefined
  const steps = new Set(Array.from(begun.matchAll(/^\{"kind":"call","step":(\d+)/gm), ([, step]) => Number(step)))
  const unwritten = calls.map((line) => JSON.parse(line) as CallRow).filter(({ step }) => !steps.has(step))
  const known = new Set([0, ...steps])
  const lines = unwritten.map((call) => {
    known.add(call.step)
    // If the owner was not written, the run itself takes its place.
    return JSON.stringify({ ...call, owner: known.has(call.owner) ? call.owner : 0 })
  })
  return [begun, ...lines.map((line) => `${line}\n`)].join('')
}

const HEADER = '{"kind":"run"'
const CALL = '{"kind":"call"'
