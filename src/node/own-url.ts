import { pathToFileURL } from 'node:url'

/** Where this code lies, as a URL. */
export const ownUrl: string = orFile(import.meta.url)

/** The `require` of this code: Node's own, which no bundler puts another in the place of. */
export function ownRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(ownUrl)
}

/** A bundler that makes CommonJS of this code leaves no `import.meta.url`, but a `__filename`. */
function orFile(url: string | undefined): string {
  return url ?? pathToFileURL(typeof __filename === 'string' ? __filename : `${process.cwd()}/`).href
}
