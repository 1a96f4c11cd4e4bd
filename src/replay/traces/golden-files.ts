import path from 'node:path'
import { createGoldenDirectory, findGoldenDirectory, type GoldenDirectory } from '../../stores/golden-directory.ts'
import type { RunRow } from '../../trace/run-row.ts'
import type { Trace } from '../../trace/trace.ts'

/** By header, because copies of a trace share it. */
const files = new WeakMap<RunRow, string>()

/** Remembers the file of a golden, because the others of its conversation are looked for in the same directory. */
export function keepFile({ header }: Pick<Trace, 'header'>, file: string): void {
  files.set(header, path.resolve(file))
}

/** The directory of goldens that contains a golden; the project's if its file is not known. */
export function goldensBeside({ header }: Pick<Trace, 'header'>): GoldenDirectory {
  const file = files.get(header)
  if (file === undefined) return createGoldenDirectory()
  const end = path.normalize(`/${header.golden?.name ?? ''}.jsonl`)
  return createGoldenDirectory(file.endsWith(end) ? file.slice(0, -end.length) : findGoldenDirectory(path.dirname(file)))
}
