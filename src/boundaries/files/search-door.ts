import type { Restore } from '../patches.ts'
import { asNested, callCovered } from './covered-call.ts'
import { type FilesCall, filesDoor, replaceForms } from './file-call.ts'
import { toFilePath } from './file-path.ts'
import type { FoundPath } from './find-path.ts'
import { type Renaming, toAgentResult } from './of-agent.ts'
import { everything, type NamePattern } from './layers.ts'
import type { OwnFiles } from './own-files.ts'
import { runOutside } from '../../run/scope.ts'

/** `glob`, in a folder or by an absolute pattern. */
export function searchDoor(): Restore {
  return replaceForms('glob', filesDoor(search))
}

function search(called: FilesCall): unknown {
  const { scope, files, form, args, go } = called
  const [asked, options] = args
  const patterns = (Array.isArray(asked) ? asked : [asked]).map(String)
  const cwd: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'cwd') : undefined
  const searched = [toFilePath(cwd), ...patterns.map(folderOf)].map((folder) => files.find(folder))
  const folders = searched.filter((each) => each !== undefined && files.covers(each.path))
  const placeOf = (path: string): string => (files.overlay === undefined ? path : files.overlay.place(path))
  const isHere = (folder: string | undefined): boolean => folders.some((each) => each?.path === files.find(folder)?.path)
  if (folders.length === 0) return files.own === undefined ? go(args) : searchOwn(called, files.own)
  const give = (own: unknown[]): unknown => {
    const found: unknown = asNested(() => go(own))
    return isIterable(found) ? namesOf(files.overlay, found) : found
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

/** Searches folders that are not recorded, as the run sees them. */
function searchOwn({ files, form, args, go }: FilesCall, own: OwnFiles): unknown {
  const [asked, options] = args
  const patterns = (Array.isArray(asked) ? asked : [asked]).map(String)
  const given: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'cwd') : undefined
  const cwd = files.find(given ?? '.')
  const folders = patterns.map((pattern) => files.find(folderOf(pattern)))
  if ([cwd, ...folders].every((found) => found === undefined || own.isReal(found))) return go(args)
  const places = new Map<string, string>()
  const placeOf = (found: FoundPath, searched: readonly NamePattern[]): string => {
    const place = runOutside(() => own.layers.placeToList(found.path, searched))
    places.set(place, found.named)
    return place
  }
  const ready = (): unknown[] => {
    const placed = patterns.map((pattern, index) => {
      const [folder, rest] = [folders[index], pattern.slice(folderOf(pattern)?.length)]
      return folder === undefined ? pattern : `${placeOf(folder, [namesOfPattern(rest)])}${rest}`
    })
    const relative = patterns.filter((_pattern, index) => folders[index] === undefined)
    const ownOptions = { ...(typeof options === 'object' ? options : {}) }
    if (cwd !== undefined && relative.length > 0) Reflect.set(ownOptions, 'cwd', placeOf(cwd, relative.map(namesOfPattern)))
    return [Array.isArray(asked) ? placed : placed[0], ownOptions, ...args.slice(typeof options === 'function' ? 1 : 2)]
  }
  const renaming = own.renaming('glob', places)
  const make = (placed: unknown[]): unknown => {
    const found: unknown = asNested(() => go(placed))
    return isIterable(found) ? namesOf(renaming, found) : found
  }
  return callCovered({ files, form: form === 'promise' ? 'sync' : form, args, make, ready, isOpen: true, renaming })
}

function namesOfPattern(pattern: string): NamePattern {
  // Braces may contain slashes.
  return pattern.includes('{') ? everything : pattern.split('/').filter((name) => name !== '' && name !== '.')
}

function isIterable(found: unknown): found is AsyncIterable<unknown> {
  return typeof found === 'object' && found !== null && Symbol.asyncIterator in found
}

/** Returns the folder that an absolute pattern searches: the names before the first one with a wildcard. */
function folderOf(pattern: string): string | undefined {
  if (!pattern.startsWith('/')) return undefined
  const names = pattern.split('/')
  const first = names.findIndex((name) => /[*?{[(]/.test(name))
  return names.slice(0, first === -1 ? -1 : first).join('/') || '/'
}

async function* namesOf(renaming: Renaming | undefined, found: AsyncIterable<unknown>): AsyncGenerator {
  const iterator = found[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await asNested(() => iterator.next())
      if (done === true) return
      yield toAgentResult(renaming, value)
    }
  } finally {
    await iterator.return?.()
  }
}
