import { statSync } from 'node:fs'
import { isFields } from '../../divergence/same-value.ts'
import { OptionsError, checkKnownOptions } from '../../trace/errors/options-error.ts'
import { openers } from './openers.ts'
import { isFileDriver, pathOfSandbox } from './file-drivers.ts'

/** A database that stands in for the agent's database. */
export interface SandboxDatabase {
  /** For SQLite in this process: its file, as a path or a `file:` URL. */
  readonly url: string
  /** Everything happens in one transaction, which is rolled back at the end; for a file, in a copy that is removed. Default: false. */
  readonly rollback?: boolean
}

/** Extracts the databases from a sandbox: the URLs of drivers. Throws an `OptionsError` for an invalid one. */
export function splitDatabases(
  caller: string,
  sandbox: Readonly<Record<string, unknown>>,
): { readonly databases: Readonly<Record<string, SandboxDatabase>>; readonly others: Readonly<Record<string, unknown>> } {
  const isDatabase = ([name, given]: [string, unknown]): boolean =>
    (isFileDriver(name) && typeof given !== 'function') ||
    (Object.hasOwn(openers, name) && (typeof given === 'string' || (isFields(given) && 'url' in given)))
  const { databases = [], others = [] } = Object.groupBy(Object.entries(sandbox), (entry) => (isDatabase(entry) ? 'databases' : 'others'))
  return {
    databases: Object.fromEntries(databases.map(([name, given]) => [name, readDatabase(caller, name, given)])),
    others: Object.fromEntries(others),
  }
}

function readDatabase(caller: string, name: string, given: unknown): SandboxDatabase {
  const database = isFields(given) ? (given as unknown as SandboxDatabase) : { url: given as string }
  const option = `sandbox.${name}`
  checkKnownOptions(caller, database, ['url', 'rollback'])
  if (typeof database.url !== 'string')
    throw new OptionsError(caller, option, `has to be ${isFileDriver(name) ? 'a file' : 'a URL'}, or { url, rollback }.`)
  if (database.rollback !== undefined && typeof database.rollback !== 'boolean')
    throw new OptionsError(caller, `${option}.rollback`, `has to be true or false, got ${JSON.stringify(database.rollback)}.`)
  if (isFileDriver(name)) {
    const file = pathOfSandbox(database.url)
    if (database.url === '' || statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
      throw new OptionsError(caller, option, `has to be the file of a database. There is no file at ${file}.`)
    return database
  }
  if (!URL.canParse(database.url)) throw new OptionsError(caller, option, 'has to be the URL of a database.')
  if (database.rollback === true && openers[name]?.speaksSql !== true)
    throw new OptionsError(caller, `${option}.rollback`, 'works only for databases that speak SQL.')
  return database
}
