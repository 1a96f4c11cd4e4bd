import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { builtins } from '../node/builtins.ts'

/** Error codes for creating a link on file systems without links. */
const fileSystemsWithoutLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes a file atomically: to a temporary file next to it, which is then moved. Creates the folders it needs.
 *
 * @param options `force`: replaces an existing file. Default: false.
 * @returns Whether it was written: false if the file exists and `force` is not set.
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

/** @note Uses a link, which fails for the later of two writers; a rename would replace the file. */
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
