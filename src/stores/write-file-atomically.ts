import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { builtins } from '../node/builtins.ts'

/** What linking fails with on file systems that have no links. */
const fileSystemsWithoutLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes a file so that a reader, or a crash, never meets a part of it: beside its place first, then moved there. Makes the folders it needs.
 *
 * @param options `force`: replace a file that is there. Default false.
 * @returns Whether it was written: false when a file is there that must not be replaced.
 */
export async function writeFileAtomically(
  file: string,
  text: string,
  { force = false }: { readonly force?: boolean } = {},
): Promise<boolean> {
  const folder = path.dirname(file)
  await mkdir(folder, { recursive: true })
  const temporary = path.join(folder, `.${builtins.crypto.randomUUID()}.tmp`)
  try {
    await writeFile(temporary, text, { flush: true, flag: 'wx' })
    if (!force) return await moveToFreePlace(temporary, file)
    await rename(temporary, file)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** @note A link fails where the place is taken, of two writers for the later one; a rename would replace what is there. */
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
