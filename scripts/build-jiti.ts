import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import type { Plugin } from 'rolldown'

const source = 'node_modules/jiti/dist'

/** The maximum, 11, makes it a tenth smaller and takes four times as long. */
const QUALITY = 9

/** Builds jiti in where the config is loaded. */
export const jitiFromDist: Plugin = {
  name: 'jiti-from-dist',
  transform(code, id) {
    if (!/[\\/]src[\\/]config[\\/]load-jiti\.ts$/.test(id)) return undefined
    const required = code
      .replace(
        "await import('jiti')",
        "ownRequire()(fileURLToPath(ownUrl.replace(/\\/dist\\/(?!.*\\/dist\\/).*$/, '/dist/jiti/index.cjs')))",
      )
      .replace(/^/, "import { fileURLToPath } from 'node:url'\nimport { ownRequire, ownUrl } from '../node/own-url.ts'\n")
    if (!required.includes('/dist/jiti/'))
      throw new Error('src/config/load-jiti.ts no longer imports jiti as scripts/build-jiti.ts expects.')
    return required
  },
}

/**
 * Puts jiti into `dist/jiti`. Most of it is Babel, which only commands and test runners load, so it is kept compressed, at a fifth of its 1.7 MB.
 */
export function buildJiti(directory: string): void {
  const folder = join(directory, 'jiti')
  mkdirSync(folder, { recursive: true })
  for (const name of ['jiti.cjs', 'babel.cjs']) {
    const code = readFileSync(join(source, name))
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }))
  }
  writeFileSync(join(folder, 'index.cjs'), entry)
}

/** Does what jiti's own entry does (`lib/jiti.cjs`), with compressed files. */
const entry = `'use strict'
const { readFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { join } = require('node:path')
const { compileFunction } = require('node:vm')
const { brotliDecompressSync } = require('node:zlib')

let compiler

function transform(options) {
  compiler ??= load('babel.cjs')
  return compiler(options)
}

function load(name) {
  const filename = join(__dirname, name)
  const text = brotliDecompressSync(readFileSync(\`\${filename}.br\`)).toString()
  const module = { exports: {} }
  compileFunction(text, ['exports', 'require', 'module', '__filename', '__dirname'], { filename })(
    module.exports,
    createRequire(filename),
    module,
    filename,
    __dirname,
  )
  return module.exports
}

function onError(error) {
  throw error
}

const create = load('jiti.cjs')

exports.createJiti = (id, options = {}) =>
  create(id, { ...options, transform: options.transform ?? transform }, { onError, nativeImport: (name) => import(name), createRequire })
`
