import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { builtins } from '../node/builtins.ts'
import { writing } from '../node/write-failure.ts'

/** Error codes for creating a link on file systems without links. */
const fileSystemsWithoutLinks = new Set<string | undefined>(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/**
 * Writes a file atomically: to a temporary file next to it, which is then moved. Creates the folders it needs.
 *
 * @param options `force`: replaces an existing file. Default: false. `temporary`: the temporary file, for the only process that writes there; one that a
 *   killed process left is replaced. Default: a new name.
 * @returns Whether it was written: false if the file exists and `force` is not set.
 * @throws GoldenrunError `GOLDENRUN_WRITE` if the file system refuses.
 */
export async function writeFileAtomically(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  options: WriteOptions = {},
): Promise<boolean> {
  return await writing(file, () => write(file, content, options))
}

interface WriteOptions {
  readonly force?: boolean
  readonly temporary?: string
}

async function write(
  file: string,
  content: string | AsyncIterable<Uint8Array>,
  { force = false, temporary: named }: WriteOptions,
): Promise<boolean> {
  const folder = path.dirname(file)
  await makeFolder(folder)
  const temporary = named ?? path.join(folder, `.${builtins.crypto.randomUUID()}.tmp`)
  if (named !== undefined) await makeFolder(path.dirname(named))
  try {
    await writeFile(temporary, content, { flush: true, flag: named === undefined ? 'wx' : 'w' })
    if (!force) return await moveToFreePlace(temporary, file)
    await rename(temporary, file)
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** @note On a read-only file system, Node's own `recursive` says that the folder does not exist. */
async function makeFolder(folder: string): Promise<void> {
  if (await isThere(folder)) return
  const parent = path.dirname(path.resolve(folder))
  if (parent !== path.resolve(folder)) await makeFolder(parent)
  await mkdir(folder).catch(async (error: unknown) => {
    if (!(await isThere(folder))) throw error
  })
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined))?.isDirectory() === true
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
