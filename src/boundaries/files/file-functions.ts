import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { bodyFromBytes } from '../../trace/body.ts'

/** A change that a call makes: a step. */
export interface FileChange {
  /** `write`, `rename`. */
  readonly name: string
  readonly input: object
}

/** A function of `node:fs`, as far as it concerns what it does with paths. */
export interface FileFunction {
  /** Which of its arguments are paths. */
  readonly paths: readonly number[]
  /** What it changes. @param paths Absolute. @param places Where they are looked for. */
  readonly change?: (paths: readonly string[], args: readonly unknown[], places: readonly string[]) => FileChange | undefined
  /** It looks below the path: at names, or at content as well. */
  readonly below?: (args: readonly unknown[]) => 'names' | 'content' | undefined
  /** It reads what a file or a folder holds. */
  readonly reads?: true
}

const looks: FileFunction = { paths: [0] }
const reads: FileFunction = { paths: [0], reads: true }
const isRecursive = (options: unknown): boolean =>
  typeof options === 'object' && options !== null && Reflect.get(options, 'recursive') === true
const removes: FileFunction = { paths: [0], change: ([path]) => ({ name: 'remove', input: { path } }) }
const fromTo =
  (name: string): NonNullable<FileFunction['change']> =>
  ([from, to]) => ({ name, input: { from, to } })
const lists: FileFunction = { paths: [0], reads: true, below: ([, options]) => (isRecursive(options) ? 'names' : undefined) }

function sets(name: string, ...fields: readonly string[]): FileFunction {
  const change: NonNullable<FileFunction['change']> = ([path], args) => {
    const values = fields.map((field, index) => [field, args[index + 1]] as const)
    return { name, input: { path, ...Object.fromEntries(values.filter(([, value]) => typeof value !== 'function')) } }
  }
  return { paths: [0], change }
}

/** All of them by name. In `node:fs` there is one with `Sync` at its end for each. */
export const fileFunctions: Readonly<Record<string, FileFunction>> = {
  access: looks,
  appendFile: { paths: [0], change: ([path = ''], args) => contentChange(path, args, 'append') },
  chmod: sets('chmod', 'mode'),
  chown: sets('chown', 'uid', 'gid'),
  copyFile: { paths: [0, 1], change: fromTo('copy'), reads: true },
  cp: { paths: [0, 1], change: fromTo('copy'), below: () => 'content', reads: true },
  exists: looks,
  lchmod: sets('chmod', 'mode'),
  lchown: sets('chown', 'uid', 'gid'),
  link: { paths: [0, 1], change: fromTo('link') },
  lstat: looks,
  lutimes: sets('utimes'),
  mkdir: { paths: [0], change: ([path], _args, [place = '']) => (isFolder(place) ? undefined : { name: 'mkdir', input: { path } }) },
  openAsBlob: reads,
  opendir: lists,
  readdir: lists,
  readFile: reads,
  readlink: looks,
  realpath: looks,
  rename: { paths: [0, 1], change: fromTo('rename') },
  rm: removes,
  rmdir: removes,
  stat: looks,
  statfs: looks,
  symlink: { paths: [0, 1], change: ([, path], [target]) => ({ name: 'symlink', input: { target: String(target), path } }) },
  truncate: sets('truncate', 'length'),
  unlink: removes,
  utimes: sets('utimes'),
  watch: looks,
  watchFile: looks,
  unwatchFile: looks,
  writeFile: { paths: [0], change: ([path = ''], args) => contentChange(path, args, 'write') },
}

/** What is written to a file, where it is given at once. */
function contentChange(path: string, [, data, options]: readonly unknown[], name: string): FileChange | undefined {
  const bytes = toBytes(data, options)
  if (bytes === undefined) return undefined
  return { name: flagIn(options).startsWith('a') ? 'append' : name, input: { path, ...bodyFromBytes(bytes) } }
}

/** Whether what is written to a file comes later: from a stream or an iterable. */
export function isContentLater(name: string, form: string, [, data, options]: readonly unknown[]): boolean {
  return form === 'promise' && (name === 'writeFile' || name === 'appendFile') && toBytes(data, options) === undefined
}

/** How a function opens the file that it writes. */
export function flagOf(name: string, [, , options]: readonly unknown[]): string {
  return flagIn(options) || (name === 'appendFile' ? 'a' : 'w')
}

function flagIn(options: unknown): string {
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
