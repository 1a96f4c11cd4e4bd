import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { ownUrl } from '../../node/own-url.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { ViewerApp } from '../../viewer/render-page.ts'

let app: ViewerApp | undefined

/**
 * Returns the script and the style that every page embeds.
 *
 * @throws GoldenrunError `GOLDENRUN_VIEWER` if they are not next to this code, as in a bundle.
 */
export function viewerApp(): ViewerApp {
  return (app ??= readApp())
}

function readApp(): ViewerApp {
  const [, base, folder] = /^(.*[\\/](src|dist)[\\/])/.exec(fileURLToPath(ownUrl.replace(/\?.*$/, ''))) ?? []
  const file = `${base ?? ''}${folder === 'src' ? 'viewer/app.br' : 'viewer.br'}`
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as ViewerApp
  } catch (cause) {
    throw new GoldenrunError('GOLDENRUN_VIEWER', `The viewer cannot be read: ${file}. It is part of the package: install it again.`, {
      cause,
    })
  }
}
