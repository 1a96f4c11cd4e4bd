import { ownFile } from '../stores/own-file.ts'

/**
 * A file of goldenrun's own that a worker loads, as Vite takes it (see `ownFile`).
 *
 * @throws Error where the package is not in the files that it was published in.
 */
export function workerFile(name: string): string {
  const file = ownFile(name)
  if (file === undefined) throw new Error(`goldenrun's own file ${name} is not where it was installed: install goldenrun anew.`)
  return file.replaceAll('\\', '/')
}
