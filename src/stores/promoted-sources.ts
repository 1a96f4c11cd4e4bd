import { open } from 'node:fs/promises'
import { orElse } from '../trace/or-else.ts'
import type { GoldenDirectory } from './golden-directory.ts'
import { checkGoldenFile } from './golden-name.ts'

/** Returns the ids of the recordings that a project's goldens were promoted from. Unreadable goldens are skipped. */
export async function promotedSources(goldens: GoldenDirectory): Promise<Set<string>> {
  return new Set((await promotedSourcesByName(goldens)).values())
}

/** Like `promotedSources`, by the names of the goldens. */
export async function promotedSourcesByName(goldens: GoldenDirectory): Promise<Map<string, string>> {
  const sources = await Promise.all((await goldens.list()).map(async (name) => [name, await sourceOf(goldens.fileOf(name))] as const))
  return new Map(sources.flatMap(([name, source]) => (source === undefined ? [] : [[name, source] as const])))
}

/** Reads only the first line of a golden, because goldens are long. */
async function sourceOf(file: string): Promise<string | undefined> {
  if (!isReadable(file)) return undefined
  const handle = await open(file).catch(() => undefined)
  if (handle === undefined) return undefined
  try {
    const chunks: Buffer[] = []
    for (;;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(LOOKED_AT), 0, LOOKED_AT)
      const end = buffer.indexOf('\n')
      chunks.push(buffer.subarray(0, end === -1 ? bytesRead : end))
      if (end !== -1 || bytesRead === 0) break
    }
    const header = JSON.parse(Buffer.concat(chunks).toString()) as { readonly golden?: { readonly promotedFrom?: unknown } }
    return typeof header.golden?.promotedFrom === 'string' ? header.golden.promotedFrom : undefined
  } catch {
    // `goldenrun check` reports the unreadable file.
    return undefined
  } finally {
    await handle.close()
  }
}

/** Whether a golden's reader would read it. */
function isReadable(file: string): boolean {
  return orElse(() => {
    checkGoldenFile(file)
    return true
  }, false)
}

/** How much is read first, in bytes: most headers are shorter. */
const LOOKED_AT = 16_384
