import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The entries of the package that workloads use. The reference's build has to have what they use of them. */
interface Entries {
  readonly index: typeof import('goldenrun')
  readonly replay: typeof import('goldenrun/replay')
}

/** Loads an entry of a built package. @param folder The package's folder, with its `dist`. */
export async function loadEntry<Name extends keyof Entries>(folder: string, name: Name): Promise<Entries[Name]> {
  return (await import(pathToFileURL(path.join(folder, 'dist', `${name}.js`)).href)) as Entries[Name]
}
