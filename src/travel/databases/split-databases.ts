import { existsSync } from 'node:fs'
import { isFields } from '../../divergence/same-value.ts'
import { OptionsError, checkKnownOptions } from '../../trace/errors/options-error.ts'
import { displayPath } from '../../node/display-path.ts'
import { openers } from './openers.ts'
import { isFileDriver, pathOfSandbox } from './file-drivers.ts'

/** A database that stands in for the agent's. */
export interface SandboxDatabase {
  /** Of SQLite in the process: its file, as a path or a `file:` URL. */
  readonly url: string
  /** Everything happens in one transaction, which is rolled back at the end; for a file, in a copy that is removed. Default: false. */
  readonly rollback?: boolean
}

/** Takes the databases out of a sandbox: the URLs of drivers. Throws an `OptionsError` for what is none. */
export function splitDatabases(
  caller: string,
  sandbox: Readonly<Record<string, unknown>>,
): { readonly databases: Readonly<Record<string, SandboxDatabase>>; readonly others: Readonly<Record<string, unknown>> } {
  const isDatabase = ([name, given]: [string, unknown]): boolean =>
    (Object.hasOwn(openers, name) || isFileDriver(name)) && (typeof given === 'string' || (isFields(given) && 'url' in given))
  const { databases = [], others = [] } = Object.groupBy(Object.entries(sandbox), (entry) => (isDatabase(entry) ? 'databases' : 'others'))
  return {
    databases: Object.fromEntries(databases.map(([name, given]) => [name, readDatabase(caller, name, given)])),
    others: Object.fromEntries(others),
  }
}

function readDatabase(caller: string, name: string, given: unknown): SandboxDatabase {
  const database = typeof given === 'string' ? { url: given } : (given as SandboxDatabase)
  const option = `sandbox.${name}`
  checkKnownOptions(caller, database, ['url', 'rollback'])
  if (isFileDriver(name)) {
    const file = pathOfSandbox(database.url)
    if (!existsSync(file))
      throw new OptionsError(caller, option, `has to be the file of a database. There is none at ${displayPath(file)}.`)
    return database
  }
  if (!URL.canParse(database.url)) throw new OptionsError(caller, option, 'has to be the URL of a database.')
  if (database.rollback === true && openers[name]?.speaksSql !== true)
    throw new OptionsError(caller, `${option}.rollback`, 'is for databases that speak SQL.')
  return database
}
