import { basename } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { orElse } from '../../trace/or-else.ts'
import { harmlessFiles, harmlessPackages } from './harmless.ts'
import { type Imports, readImports } from './imported-symbols.ts'

/** What native code can do without Node. */
export interface Reach {
  /** It can open connections. */
  readonly network: boolean
  /** It can start programs, or become one. */
  readonly programs: boolean
}

/** Without one of these, there is no connection: functions of the C library, and of libuv, which Node exports. */
const opensSockets = /^(?:socket|getaddrinfo|gethostbyname\w*|res_\w+|uv_(?:tcp|udp)_\w+|uv_getaddrinfo|io_uring_\w+)$/
/** Without one of these, there is no other program. */
const startsPrograms = /^(?:_?_?v?fork|forkpty|clone3?|posix_spawnp?|exec(?:l|le|lp|v|ve|vp|vpe|veat)|fexecve|system|popen|uv_spawn)$/

/** Libraries of the system that are no way out: what they can do, the symbols above name. */
const ofSystem = /^(?:lib(?:c|m|dl|rt|pthread|util|resolv|gcc_s|stdc\+\+|atomic|c\+\+|c\+\+abi|gomp|z)\.so|ld-linux|ld-musl|linux-vdso)/

/**
 * What an addon can do by the functions that it and its libraries import. Code that imports neither `socket` nor `fork`, nor any other function
 * that leads out, cannot reach the world by itself. Elsewhere than on Linux, a table of packages tells.
 *
 * @note Code that loads a library later (`dlopen`) or makes system calls of its own (`syscall`, Go) is not found. Most addons import both functions.
 */
export function reachOf(file: string, packageName: string): Reach {
  const all = importsOf(file)
  if (all === undefined) return harmlessPackages.test(packageName) ? { network: false, programs: false } : { network: true, programs: true }
  const has = (names: RegExp): boolean => all.some(({ symbols }) => symbols.some((symbol) => names.test(symbol)))
  return { network: has(opensSockets), programs: has(startsPrograms) }
}

/** The imports of an addon, and of the libraries that came with it; undefined if its own cannot be read. */
function importsOf(addon: string): Imports[] | undefined {
  const own = readImports(addon)
  if (own === undefined) return undefined
  if (harmlessFiles.test(basename(addon))) return []
  const all = [own]
  const known = new Set<string>()
  let loaded: readonly string[] | undefined
  for (const { libraries } of all) {
    for (const library of libraries) {
      if (known.has(library) || ofSystem.test(library) || harmlessFiles.test(library)) continue
      known.add(library)
      loaded ??= loadedFiles()
      const file = loaded.find((each) => each.endsWith(`/${library}`))
      const imports = file === undefined ? undefined : readImports(file)
      if (imports !== undefined) all.push(imports)
    }
  }
  return all
}

/** The files that are mapped into this process: the addon's libraries were loaded with it, wherever they lie. */
function loadedFiles(): readonly string[] {
  const maps = orElse(() => builtins.fs.readFileSync('/proc/self/maps', 'utf8'), '')
  return [...new Set(maps.match(/(?<= )\/.*\.so\b.*$/gm))]
}
