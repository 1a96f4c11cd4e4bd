import * as nodeModule from 'node:module'
import { pathToFileURL } from 'node:url'

/** The location of this code, as a URL. */
export const ownUrl: string = orFile(import.meta.url)

/** Returns the `require` of this code: Node's own, which no bundler replaces. */
export function ownRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(ownUrl)
}

/**
 * Returns the `require` that code gets by importing `createRequire`: Vitest provides its own to such code, and Jest too.
 *
 * @note webpack replaces a call of `createRequire` that it finds, and drops the export if it finds none. A bundle has no runner whose `require` matters.
 */
export function importedRequire(): NodeJS.Require {
  const create = Reflect.get(nodeModule, 'createRequire') as typeof nodeModule.createRequire | undefined
  return create === undefined ? ownRequire() : create(ownUrl)
}

/** If a bundler turns this code into CommonJS, there is a `__filename` instead of `import.meta.url`. */
function orFile(url: string | undefined): string {
  return url ?? pathToFileURL(typeof __filename === 'string' ? __filename : `${process.cwd()}/`).href
}
