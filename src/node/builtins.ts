import { importedRequire } from './own-url.ts'

const names = {
  childProcess: 'node:child_process',
  crypto: 'node:crypto',
  dgram: 'node:dgram',
  dns: 'node:dns',
  fs: 'node:fs',
  http: 'node:http',
  https: 'node:https',
  net: 'node:net',
  os: 'node:os',
  tls: 'node:tls',
  v8: 'node:v8',
  vm: 'node:vm',
  workerThreads: 'node:worker_threads',
  zlib: 'node:zlib',
} as const

type Names = typeof names
type Builtins = { readonly [Key in keyof Names]: ReturnType<typeof process.getBuiltinModule<Names[Key]>> }

/** Missing before Node 20.16. Nothing is recorded there, but importers of this file still have to load. */
const getBuiltinModule = (process.getBuiltinModule as typeof process.getBuiltinModule | undefined) ?? importedRequire()

/**
 * Node's modules that are slow to load, for code that loads with every entry. Each is loaded on first use, which is when a recorder or a replay
 * opens the doors.
 *
 * @note An `import` in an ES module reads all of their exports to bind names, and some exports load more on first read: `node:http` loads Node's
 *   undici, which takes 30 ms.
 */
export const builtins: Builtins = loadedOnUse()

/** Each module is requested once, because Node searches its list of modules by name. */
function loadedOnUse(): Builtins {
  const modules = {}
  for (const [key, name] of Object.entries(names)) {
    const get = (): unknown => {
      const value: unknown = getBuiltinModule(name)
      Object.defineProperty(modules, key, { value })
      return value
    }
    Object.defineProperty(modules, key, { get, configurable: true })
  }
  return modules as Builtins
}
