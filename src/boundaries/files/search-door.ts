import type { Restore } from '../patches.ts'
import { asNested, callCovered, type FilesCall, filesDoor, replaceForms } from './covered-call.ts'
import { toFilePath } from './file-path.ts'
import type { RunFiles } from './run-files.ts'

/** `glob`, in a folder or by an absolute pattern. */
export function searchDoor(): Restore {
  return replaceForms('glob', filesDoor(search))
}

function search({ scope, files, form, args, go }: FilesCall): unknown {
  const [asked, options] = args
  const patterns = (Array.isArray(asked) ? asked : [asked]).map(String)
  const cwd: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'cwd') : undefined
  const searched = [toFilePath(cwd), ...patterns.map(folderOf)].map((folder) => files.find(folder))
  const folders = searched.filter((each) => each !== undefined && files.covers(each.path))
  const placeOf = (path: string): string => (files.overlay === undefined ? path : files.overlay.place(path))
  const isHere = (folder: string | undefined): boolean => folders.some((each) => each?.path === files.find(folder)?.path)
  if (folders.length === 0) return go(args)
  const give = (own: unknown[]): unknown => {
    const found: unknown = asNested(() => go(own))
    return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
      ? namesOf(files, found as AsyncIterable<unknown>)
      : found
  }
  const ready = (): unknown[] => {
    for (const folder of folders) {
      if (folder === undefined) continue
      files.use(scope, folder)
      files.touchTree(scope, folder.path, false)
    }
    const own = patterns.map((pattern) => (isHere(folderOf(pattern)) ? placeOf(pattern) : pattern))
    const placed = toFilePath(cwd)
    const further =
      placed === undefined || !isHere(placed) ? args.slice(1) : [{ ...(options as object), cwd: placeOf(placed) }, ...args.slice(2)]
    return [Array.isArray(asked) ? own : own[0], ...further]
  }
  // The one of `node:fs/promises` returns an iterable.
  return callCovered({ files, form: form === 'promise' ? 'sync' : form, args, make: give, ready })
}

/** Returns the folder that an absolute pattern searches: the names before the first one with a wildcard. */
function folderOf(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return undefined
  const names = pattern.split('/')
  const first = names.findIndex((name) => /[*?{[(]/.test(name))
  return names.slice(0, first === -1 ? -1 : first).join('/') || '/'
}

async function* namesOf(files: RunFiles, found: AsyncIterable<unknown>): AsyncGenerator {
  const iterator = found[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await asNested(() => iterator.next())
      if (done === true) return
      yield typeof value === 'string' && files.overlay !== undefined ? files.overlay.toAgent(value) : value
    }
  } finally {
    await iterator.return?.()
  }
}
