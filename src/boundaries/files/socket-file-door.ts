import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { replaceFunction, type Restore } from '../patches.ts'
import { filesHere } from './file-call.ts'

/** `server.listen(path)`: the file of a unix socket is created in the temporary tree of a replay, where its folder may be. */
export function socketFileDoor(): Restore {
  return replaceFunction(
    builtins.net.Server.prototype,
    'listen',
    (original) =>
      function (this: unknown, ...args: unknown[]) {
        return Reflect.apply(original, this, inTree(args)) as never
      },
  )
}

/** @note Source: Node, lib/net.js. A text that is a number is a port. */
function inTree(args: readonly unknown[]): unknown[] {
  const [first, ...others] = args
  const path = typeof first === 'string' && Number.isNaN(Number(first)) ? first : (first as { readonly path?: unknown } | undefined)?.path
  const files = typeof path === 'string' && path !== '' && isFile(path) ? filesHere()?.files : undefined
  const [own, found] = [files?.own, files?.find(path)]
  if (own === undefined || found === undefined) return [...args]
  const place = runOutside(() => own.layers.bring(found.path))
  return [typeof first === 'string' ? place : { ...(first as object), path: place }, ...others]
}

/** Pipes of Windows and abstract sockets of Linux are no files. */
function isFile(path: string): boolean {
  return process.platform !== 'win32' && !path.startsWith('\0')
}
