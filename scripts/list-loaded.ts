import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

// Loads the given built file in a process that has loaded nothing else. Prints the packages that goldenrun's own files have loaded,
// each once, and whether Node's own undici was loaded.
const [file = ''] = process.argv.slice(2)
const own = pathToFileURL('dist/').href
const packages = new Set<string>()

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isPackage = /^[^./]/.test(specifier) && !/^(?:node|file|data):/.test(specifier)
    if (isPackage && context.parentURL?.startsWith(own)) packages.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'))
    return nextResolve(specifier, context)
  },
})
await import(pathToFileURL(file).href)

const builtins = Reflect.get(process, 'moduleLoadList') as readonly string[]
if (builtins.includes('NativeModule internal/deps/undici/undici')) packages.add("Node's undici")
console.log(JSON.stringify([...packages]))
