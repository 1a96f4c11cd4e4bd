import { pathToFileURL } from 'node:url'

/** Where this code lies, as a URL. A bundler that makes CommonJS of it leaves no `import.meta.url`, but a `__filename`. */
export const ownUrl: string =
  (import.meta.url as string | undefined) ?? pathToFileURL(typeof __filename === 'string' ? __filename : `${process.cwd()}/`).href

/** The `require` of this code: Node's own, which no bundler puts another in the place of. */
export function ownRequire(): NodeJS.Require {
  return process.getBuiltinModule('node:module').createRequire(ownUrl)
}
