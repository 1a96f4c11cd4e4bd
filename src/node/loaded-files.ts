import { Session } from 'node:inspector'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { requiredModules } from './required-modules.ts'

/** Returns the absolute paths of the files whose code this thread has loaded. */
export function loadedFiles(): Set<string> {
  const files = new Set(requiredModules().map(([file]) => file))
  const session = new Session()
  session.connect()
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    if (url.startsWith('file:')) files.add(fileURLToPath(url))
    else if (path.isAbsolute(url)) files.add(url)
  })
  session.post('Debugger.enable')
  session.disconnect()
  return files
}
