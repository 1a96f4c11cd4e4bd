import { isFields } from '../../divergence/same-value.ts'
import { OptionsError, checkKnownOptions } from '../../trace/errors/options-error.ts'
import { openers } from './openers.ts'

/** A database that stands in for the agent's. */
export interface SandboxDatabase {
  readonly url: string
  /** Everything happens in one transaction, which is rolled back at the end. Default: false. */
  readonly rollback?: boolean
}

/** Takes the databases out of a sandbox: the URLs of drivers. Throws an `OptionsError` for what is none. */
export function splitDatabases(
  caller: string,
  sandbox: Readonly<Record<string, unknown>>,
): { readonly databases: Readonly<Record<string, SandboxDatabase>>; readonly others: Readonly<Record<string, unknown>> } {
  const isDatabase = ([name, given]: [string, unknown]): boolean =>
    name in openers && (typeof given === 'string' || (isFields(given) && 'url' in given))
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
  if (!URL.canParse(database.url)) throw new OptionsError(caller, option, 'has to be the URL of a database.')
  if (database.rollback === true && openers[name]?.speaksSql !== true)
    throw new OptionsError(caller, `${option}.rollback`, 'is for databases that speak SQL.')
  return database
}
