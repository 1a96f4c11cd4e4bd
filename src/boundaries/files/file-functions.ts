import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { bodyFromBytes } from '../../trace/body.ts'
import { toFilePath } from './file-path.ts'

/** A change that a call makes, which is a step. */
export interface FileChange {
  /** The kind of change: `write`, `rename`. */
  readonly name: string
  readonly input: object
}

/** What a function of `node:fs` does with paths. */
export interface FileFunction {
  /** Which of its arguments are paths. */
  readonly paths: readonly number[]
  /** The paths at which the function concerns a link itself, not the link's target. */
  readonly links?: readonly number[]
  /** Whether it removes, moves or copies everything below the path. */
  readonly takes?: true
  /** Set if it brings what is at the first path to the second. */
  readonly brings?: 'moved' | 'copied' | 'linked'
  /** Returns the change. @param paths Absolute paths. @param places Where to look for them. */
  readonly change?: (paths: readonly string[], args: readonly unknown[], places: readonly string[]) => FileChange | undefined
  /** Returns whether it reads below the path: only names, or content as well. */
  readonly below?: (args: readonly unknown[]) => 'names' | 'content' | undefined
  /** Whether it reads the content of a file or a folder. */
  readonly reads?: true
}

export const looks: FileFunction = { paths: [0] }
export const reads: FileFunction = { paths: [0], reads: true }
export const isRecursive = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && Reflect.get(options, 'recursive') === true
const removes: FileFunction = { paths: [0], links: [0], takes: true, change: ([path]) => ({ name: 'remove', input: { path } }) }
const fromTo =
  (name: string): NonNullable<FileFunction['change']> =>
  ([from, to]) => ({ name, input: { from, to } })
const lists: FileFunction = { paths: [0], reads: true, below: ([, options]) => (isRecursive(options) ? 'names' : undefined) }

const linkItself = (description: FileFunction): FileFunction => ({ ...description, links: [0] })

function sets(name: string, ...fields: readonly string[]): FileFunction {
  const change: NonNullable<FileFunction['change']> = ([path], args) => {
    const values = fields.map((field, index) => [field, args[index + 1]] as const)
    return { name, input: { path, ...Object.fromEntries(values.filter(([, value]) => typeof value !== 'function')) } }
  }
  return { paths: [0], change }
}

/** All functions by name. For each, `node:fs` also has one with the suffix `Sync`. */
export const fileFunctions: Readonly<Record<string, FileFunction>> = {
  access: looks,
  appendFile: { paths: [0], change: ([path = ''], args) => contentChange(path, args, 'append') },
  chmod: sets('chmod', 'mode'),
  chown: sets('chown', 'uid', 'gid'),
  copyFile: { paths: [0, 1], brings: 'copied', change: fromTo('copy'), reads: true },
  cp: {
    paths: [0, 1],
    links: [0],
    takes: true,
    brings: 'copied',
    change: fromTo('copy'),
    below: () => 'content',
    reads: true,
  },
  exists: looks,
  lchmod: linkItself(sets('chmod', 'mode')),
  lchown: linkItself(sets('chown', 'uid', 'gid')),
  link: { paths: [0, 1], links: [0, 1], brings: 'linked', change: fromTo('link') },
  lstat: linkItself(looks),
  lutimes: linkItself(sets('utimes')),
  mkdir: {
    paths: [0],
    change: ([path], [, options], [place = '']) =>
      isFolder(place) ? undefined : { name: 'mkdir', input: { path, ...permissions(modeIn(options), 0o777) } },
  },
  openAsBlob: reads,
  opendir: lists,
  readdir: lists,
  readFile: reads,
  readlink: linkItself(looks),
  realpath: looks,
  rename: { paths: [0, 1], links: [0, 1], takes: true, brings: 'moved', change: fromTo('rename') },
  rm: removes,
  rmdir: removes,
  stat: looks,
  statfs: looks,
  symlink: { paths: [1], links: [1], change: ([path], [target]) => ({ name: 'symlink', input: { target: toTarget(target), path } }) },
  truncate: sets('truncate', 'length'),
  unlink: removes,
  utimes: sets('utimes'),
  watch: looks,
  watchFile: looks,
  unwatchFile: looks,
  writeFile: { paths: [0], change: ([path = ''], args) => contentChange(path, args, 'write') },
}

/** Changes to an open file, by the name of the function that makes the same change by path. */
export const changesOfOpen: Readonly<Record<string, FileFunction['change']>> = {
  chmod: fileFunctions['chmod']?.change,
  chown: fileFunctions['chown']?.change,
  utimes: fileFunctions['utimes']?.change,
}

/** Returns the content written to a file, if the call already has all of it. */
function contentChange(path: string, [, data, options]: readonly unknown[], name: string): FileChange | undefined {
  const bytes = toBytes(data, options)
  if (bytes === undefined) return undefined
  const input = { path, ...permissions(modeIn(options), 0o666), ...bodyFromBytes(bytes) }
  return { name: flagIn(options).startsWith('a') ? 'append' : name, input }
}

/** Returns the target of a link as text. */
export function toTarget(argument: unknown): string {
  return argument instanceof URL ? (toFilePath(argument) ?? String(argument)) : String(argument)
}

/** Returns the permissions of a new file or folder, if they differ from Node's default. */
export function permissions(mode: unknown, usual: number): { readonly mode?: number } {
  const bits = typeof mode === 'string' ? Number.parseInt(mode, 8) : mode
  return typeof bits !== 'number' || Number.isNaN(bits) || bits === usual ? {} : { mode: bits }
}

/** Returns the permissions in a function's options. */
export function modeIn(options: unknown): unknown {
  return typeof options === 'object' && options !== null ? Reflect.get(options, 'mode') : typeof options === 'number' ? options : undefined
}

/** Returns whether the content to write comes later, from a stream or an iterable. */
export function isContentLater(name: string, form: string, [, data, options]: readonly unknown[]): boolean {
  return form === 'promise' && (name === 'writeFile' || name === 'appendFile') && toBytes(data, options) === undefined
}

/** Returns the flag with which a function opens the file that it writes. */
export function flagOf(name: string, [, , options]: readonly unknown[]): string {
  return flagIn(options) || (name === 'appendFile' ? 'a' : 'w')
}

/** Returns the flag in a function's options. */
export function flagIn(options: unknown): string {
  const flag: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'flag') : undefined
  return typeof flag === 'string' ? flag : ''
}

function toBytes(data: unknown, options: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  if (typeof data !== 'string') return undefined
  const encoding: unknown = typeof options === 'object' && options !== null ? Reflect.get(options, 'encoding') : options
  return Buffer.from(data, Buffer.isEncoding(String(encoding)) ? (encoding as BufferEncoding) : 'utf8')
}

function isFolder(place: string): boolean {
  return runOutside(() => builtins.fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true)
}

const letters = /^(?:as?x?\+?|sa\+?|wx?\+?|xw\+?|rs?\+|sr\+)$/

/** Returns whether a file that is opened with these flags may be changed, made or emptied. */
export function opensToWrite(flags: unknown): boolean {
  const { O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = builtins.fs.constants
  return typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)) !== 0 : letters.test(String(flags))
}
