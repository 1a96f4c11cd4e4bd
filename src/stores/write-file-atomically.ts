import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { builtins } from '../node/builtins.ts'

/** Error codes of linking on file systems without links. */
const fileSystemsWithoutLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes a file atomically: first to a temporary file next to it, which is then moved. Creates the folders it needs.
 *
 * @param options `force`: replace an existing file. Default: false.
 * @returns Whether it was written: false if an existing file must not be replaced.
 */
export async function writeFileAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  { force = false }: { readonly force?: boolean } = {},
): Promise<boolean> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true })
  const temporary = path.join(folder, `.${builtins.crypto.randomUUID()}.tmp`)
  try {
    await writeFile(temporary, content, { flush: true, flag: 'wx' })
    if (!force) return await moveToFreePlace(temporary, file)
    await rename(temporary, file)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** @note A link fails if the file exists, for the later of two writers; a rename would replace it. */
async function moveToFreePlace(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!fileSystemsWithoutLinks.has(code)) throw error
  }
  if ((await stat(file).catch(() => undefined)) !== undefined) return false
  await rename(temporary, file)
  return true
}
