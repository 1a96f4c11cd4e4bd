import { readFileSync } from 'node:fs'
import http2 from 'node:http2'
import net from 'node:net'
import { builtinModules } from 'node:module'
import { expect, it } from 'vitest'
import { installDoors } from '../../src/boundaries/doors.ts'
import { openReads } from '../conformance/reads/open-reads.ts'
import { provideTemporal } from './clock/provide-temporal.ts'

const page = readFileSync(new URL('../../docs/doors.md', import.meta.url), 'utf8')

// Before Node 26 there is none; the doors are put on any.
provideTemporal()

/** Something that has properties, by the name that the page gives it. */
interface Home {
  readonly name: string
  readonly object: object
  readonly depth: number
}

/** Where a program finds what a door may replace: the global object, Node's modules, and what can be reached from there in a few steps. */
function findHomes(): Home[] {
  // Loading some prints a warning, and none of those is a door's.
  const modules = builtinModules.filter((name) => !/^_|^node:|^(punycode|sys|wasi)$/.test(name))
  const homes: Home[] = [
    { name: '', object: globalThis, depth: 3 },
    { name: 'Function.prototype', object: Function.prototype, depth: 0 },
    // Node exports no class for them.
    { name: 'node:http2.ClientHttp2Session.prototype', object: http2Prototypes().session, depth: 0 },
    { name: 'node:http2.ClientHttp2Stream.prototype', object: http2Prototypes().stream, depth: 0 },
    // Not in the list of modules: its name is never without the prefix.
    { name: 'node:sqlite', object: process.getBuiltinModule('node:sqlite'), depth: 2 },
    ...modules.map((name) => ({ name: `node:${name}`, object: process.getBuiltinModule(`node:${name}`) as object, depth: 2 })),
  ]
  const seen = new Set<unknown>([Object.prototype, Function.prototype, ...homes.map(({ object }) => object)])
  // Breadth first, so that each is called by its shortest name.
  for (const { name, object, depth } of homes) {
    if (depth === 0) continue
    for (const [key, { value }] of propertiesOf(object)) {
      if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue
      seen.add(value)
      homes.push({ name: pathOf(name, key), object: value as object, depth: depth - 1 })
    }
  }
  return homes
}

function http2Prototypes(): { readonly session: object; readonly stream: object } {
  const session = http2.connect('http://localhost', { createConnection: () => new net.Socket() })
  const stream = session.request()
  stream.on('error', () => undefined)
  session.destroy()
  return { session: Object.getPrototypeOf(session) as object, stream: Object.getPrototypeOf(stream) as object }
}

function propertiesOf(object: object): Map<PropertyKey, PropertyDescriptor> {
  return new Map(Reflect.ownKeys(object).map((key) => [key, Object.getOwnPropertyDescriptor(object, key) ?? {}]))
}

function pathOf(home: string, key: PropertyKey): string {
  return home === '' ? String(key) : `${home}.${String(key)}`
}

/** The properties that are others while the doors are open. */
function findReplaced(): string[] {
  // Some of Node's properties are made when they are first read.
  findHomes()
  const before = findHomes().map((home) => ({ ...home, properties: propertiesOf(home.object) }))
  const release = installDoors()
  const after = before.map(({ object }) => propertiesOf(object))
  release()
  return before.flatMap(({ name, properties }, index) =>
    [...(after[index] ?? [])].flatMap(([key, descriptor]) => (isSame(descriptor, properties.get(key)) ? [] : [pathOf(name, key)])),
  )
}

function isSame(one: PropertyDescriptor, other: PropertyDescriptor | undefined): boolean {
  return (['value', 'get', 'set'] as const).every((part) => Object.is(one[part], other?.[part]))
}

/** The names in the second columns of the page's tables, as patterns. */
function documented(): { readonly name: string; readonly pattern: RegExp }[] {
  const cells = page.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.split(' | ')[1] ?? ''] : []))
  const names = cells.flatMap((cell) => [...cell.matchAll(/`((?:node:|Symbol\()?[\w./:()]*[\w)*])`/g)].map(([, name = '']) => name))
  return names.map((name) => ({ name, pattern: new RegExp(`^${name.replaceAll(/[.()]/g, String.raw`\$&`).replaceAll('*', '.*')}$`) }))
}

it('has the page name every property that the doors replace', () => {
  const patterns = documented()
  const names = findReplaced()
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !patterns.some(({ pattern }) => pattern.test(name)))).toEqual([])
})

it('has the page name no property that the doors do not replace', () => {
  const names = findReplaced()
  const missing = documented().filter(({ pattern }) => !names.some((name) => pattern.test(name)))
  expect(missing.map(({ name }) => name)).toEqual([])
})

it('has the page say why each read stays open that the conformance table shows open', () => {
  // A sentence may go on in the next line of the page.
  const sentences = page.toLowerCase().replaceAll(/\s+/g, ' ')
  for (const { why } of openReads) expect(sentences).toContain(why.toLowerCase())
})
