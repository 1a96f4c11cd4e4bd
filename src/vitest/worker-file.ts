import { ownFile } from '../node/own-file.ts'

/**
 * Returns the path of one of goldenrun's own files that a worker loads, in the form that Vite expects (see `ownFile`).
 *
 * @throws Error if the file is missing from the package.
 */
export function workerFile(name: string): string {
  const file = ownFile(name)
  if (file === undefined) throw new Error(`goldenrun's own file ${name} is missing from the installed package: reinstall goldenrun.`)
  return file.replaceAll('\\', '/')
}
