import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { GoldenDirectory } from './golden-directory.ts'

/** The ids of the recordings that the goldens of a project say they were promoted from. A golden that cannot be read says nothing. */
export async function promotedSources(goldens: GoldenDirectory): Promise<Set<string>> {
  const sources = await Promise.all((await goldens.list()).map((name) => sourceOf(goldens.fileOf(name))))
  return new Set(sources.filter((source) => source !== undefined))
}

/** By its first line alone: goldens are long. */
async function sourceOf(file: string): Promise<string | undefined> {
  const input = createReadStream(file, 'utf8')
  try {
    for await (const line of createInterface({ input })) {
      const header = JSON.parse(line) as { readonly golden?: { readonly promotedFrom?: unknown } }
      return typeof header.golden?.promotedFrom === 'string' ? header.golden.promotedFrom : undefined
    }
  } catch {
    // `goldenrun check` tells of it.
  } finally {
    input.destroy()
  }
  return undefined
}
