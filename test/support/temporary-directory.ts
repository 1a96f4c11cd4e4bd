import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A directory that is gone when its scope ends. */
export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
  /** A path in it. */
  resolve(...names: readonly string[]): string
  /** Writes a file in it, with the folders that it needs, and gives its path. */
  write(name: string, content: string | Uint8Array): Promise<string>
  /** Reads a file in it. */
  read(name: string): Promise<string>
  /** Makes it the working directory until the scope ends. */
  enter(): void
}

/**
 * Makes a temporary directory that looks like a project: it has a `package.json`, so that nothing above it is taken for the project.
 *
 * @example
 * await using project = await createTemporaryDirectory()
 */
export async function createTemporaryDirectory(): Promise<TemporaryDirectory> {
  const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-test-')))
  const before = process.cwd()
  const resolve = (...names: readonly string[]): string => path.join(directory, ...names)
  const write = async (name: string, content: string | Uint8Array): Promise<string> => {
    const file = resolve(name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, content)
    return file
  }
  await write('package.json', '{ "name": "project" }\n')
  return {
    path: directory,
    resolve,
    write,
    read: (name) => readFile(resolve(name), 'utf8'),
    enter: () => process.chdir(directory),
    async [Symbol.asyncDispose]() {
      if (process.cwd() !== before) process.chdir(before)
      // An index is written a moment after its runs, here perhaps while its folder is emptied.
      await rm(directory, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}
