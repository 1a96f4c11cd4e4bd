import { pathToFileURL } from 'node:url'

/** The location of this code, as a URL. */
export const ownUrl: string = orFile(import.meta.url)

/** The `require` of this code: Node's own, which no bundler replaces. */
export function ownRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(ownUrl)
}

/** If a bundler turns this code into CommonJS, there is no `import.meta.url`, but a `__filename`. */
function orFile(url: string | undefined): string {
  return url ?? pathToFileURL(typeof __filename === 'string' ? __filename : `${process.cwd()}/`).href
}
