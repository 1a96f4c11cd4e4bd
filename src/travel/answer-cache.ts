import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { digest } from '../replay/traces/digest.ts'
import { runOutside } from '../run/scope.ts'
import { fromBase64, toBase64 } from '../trace/base64.ts'
import type { ChunkRow, CompletionRow } from '../trace/rows.ts'

/** The key of a live answer. */
export interface CacheKey {
  /** The hash of the trace, and the step at which the fork leaves it. */
  readonly trace: string
  readonly step: number
  /** The seed of the sample. */
  readonly seed: number
  /** The position among equal requests of the fork, from 1. */
  readonly occurrence: number
  /** The request, redacted, without its credentials. */
  readonly request: string
}

/** Live answers in a directory, one file each, redacted, as in the fork's trace. Making a fork again makes no call again. */
export class AnswerCache {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = path.resolve(directory)
  }

  /** Returns the rows of an answer; undefined if there is none, or it cannot be read. */
  async find(key: CacheKey): Promise<CompletionRow[] | undefined> {
    const file = this.#fileOf(key)
    try {
      const text = await runOutside(() => readFile(file, 'utf8'))
      return (JSON.parse(text) as KeptRow[]).map(toRow)
    } catch {
      return undefined
    }
  }

  /** Keeps an answer. If it cannot be written, it is only not found again. */
  async keep(key: CacheKey, rows: readonly CompletionRow[]): Promise<void> {
    const file = this.#fileOf(key)
    const part = `${file}.${process.pid}.part`
    await runOutside(async () => {
      try {
        await mkdir(path.dirname(file), { recursive: true })
        await writeFile(part, JSON.stringify(rows.map(toKept)))
        await rename(part, file)
      } catch {
        // The fork has its answer even so.
      }
    })
  }

  #fileOf(key: CacheKey): string {
    const name = digest(JSON.stringify([key.trace, key.step, key.seed, key.occurrence, key.request]))
    return path.join(this.#directory, name.slice(0, 2), `${name}.json`)
  }
}

/** A row as it is written to a file: bytes as base64, as in a trace. */
type KeptRow = Exclude<CompletionRow, ChunkRow> | (Omit<ChunkRow, 'bytes'> & { readonly bytes?: string })

function toKept(row: CompletionRow): KeptRow {
  if (row.kind !== 'chunk') return row
  const { bytes, ...rest } = row
  return bytes === undefined ? rest : { ...rest, bytes: toBase64(bytes) }
}

function toRow(row: KeptRow): CompletionRow {
  if (row.kind !== 'chunk') return row
  const { bytes, ...rest } = row
  return bytes === undefined ? rest : { ...rest, bytes: fromBase64(bytes) }
}
