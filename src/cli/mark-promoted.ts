import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { everyRun, type FindingStore } from '../stores/every-run.ts'
import { promotedBy, promotionMark, releaseMark } from '../stores/promotion-marks.ts'
import { promotedSourcesByName } from '../stores/promoted-sources.ts'
import type { TraceStore } from '../stores/trace-store.ts'
import { parseJson } from '../trace/json.ts'
import type { Golden } from '../trace/run-row.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** Marks the recordings that goldens were made from, so that no machine's retention removes them. */
export async function markPromoted(store: TraceStore, goldens: readonly Golden[], terminal: Terminal): Promise<void> {
  const project = await projectName()
  for (const { name, promotedFrom } of goldens) {
    try {
      // Resolves to false for a run of another store, or a file.
      await store.flag?.(promotedFrom, promotionMark(`${project}/${name}`))
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      terminal.printError(`Could not mark ${promotedFrom} as promoted, so goldenrun gc elsewhere may remove it: ${why}`)
    }
  }
}

/** Releases the recordings held by goldens of this project that no longer exist or were made from another recording since. */
export async function releasePromoted(store: FindingStore, terminal: Terminal): Promise<void> {
  const project = `${await projectName()}/`
  const sources = await promotedSourcesByName(createGoldenDirectory())
  let released = 0
  for await (const { id, flags } of everyRun(store, { flagged: true })) {
    for (const by of promotedBy(flags)) {
      if (!by.startsWith(project) || sources.get(by.slice(project.length)) === id) continue
      if ((await store.flag?.(id, releaseMark(by))) === true) released += 1
    }
  }
  terminal.printError(`Released ${count(released, 'recording')} whose goldens are gone.`)
}

/** Returns the name of the package, or of the folder, that contains the goldens. */
export async function projectName(): Promise<string> {
  const folder = path.dirname(createGoldenDirectory().directory)
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '')
  const { name } = (parseJson(text) ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' && name !== '' ? name : path.basename(folder)
}
