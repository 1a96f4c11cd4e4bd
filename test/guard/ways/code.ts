// oxlint-disable no-eval, typescript/no-implied-eval -- that is what is tried
import childProcess from 'node:child_process'
import { createRequire } from 'node:module'
import net from 'node:net'
import { PassThrough } from 'node:stream'
import repl from 'node:repl'
import vm from 'node:vm'
import { heard, HOST, type Way, type World } from '../way.ts'

type Net = typeof net
const specifier: string = 'node:net'

/** A connection by a `net` that is come by in some way. */
function byNet(name: string, find: () => Net | Promise<Net>): Way {
  return {
    name: `net, by ${name}`,
    needs: ['echo'],
    take: async ({ ports }) => heard((await find()).connect(ports.echo, HOST), 'connect'),
  }
}

/** Code that connects, run in some way. */
function byCode(name: string, run: (code: string, world: World) => unknown): Way {
  return {
    name: `code, by ${name}`,
    needs: ['http'],
    async take(world) {
      await run(`fetch('http://${HOST}:${world.ports.http}')`, world)
    },
  }
}

/** A module of WebAssembly that calls what it imports as `a.b` from what it exports as `c`. Source: the core specification, binary format. */
const calling = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 2, 7, 1, 1, 97, 1, 98, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 99, 0, 1, 10, 6, 1, 4, 0, 16, 0, 11,
])

/** Ways that a program comes by Node's modules, and by code that it runs. */
export const codeWays: readonly Way[] = [
  byNet('import()', async () => (await import(specifier)) as Net),
  byNet('createRequire', () => createRequire(import.meta.url)('node:net') as Net),
  byNet('process.getBuiltinModule', () => process.getBuiltinModule('node:net')),
  byNet("a function's constructor", () => new Function('return process.getBuiltinModule("node:net")')() as Net),
  byNet('a module of a data URL', async () => {
    const code = "export { default } from 'node:net'"
    return ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: Net }).default
  }),
  byNet(
    'Reflect.construct',
    () => ({ connect: (port: number, host: string) => Reflect.construct(net.Socket, [{}]).connect(port, host) }) as never,
  ),
  byCode('eval', (code) => (0, eval)(code)),
  byCode('new Function', (code) => new Function(`return ${code}`)()),
  byCode('vm.runInThisContext', (code) => vm.runInThisContext(code)),
  byCode('vm.Script', (code) => new vm.Script(code).runInThisContext()),
  byCode('vm.compileFunction', (code) => (vm.compileFunction(`return ${code}`) as () => unknown)()),
  byCode('vm.runInNewContext', (code) => vm.runInNewContext(code, { fetch })),
  byCode('vm.runInContext of a context that was made before', (code) => vm.runInContext(code, vm.createContext({ fetch }))),
  byCode('a timer of text', (code) => setTimeout(() => (0, eval)(code), 1)),
  byCode('WebAssembly', async (code) => {
    const { instance } = await WebAssembly.instantiate(calling, { a: { b: () => void (0, eval)(code).catch(() => undefined) } })
    ;(instance.exports['c'] as () => void)()
  }),
  {
    name: 'code, by a prompt of repl that was opened before',
    needs: ['http'],
    before() {
      const input = new PassThrough()
      const prompt = repl.start({ input, output: new PassThrough().resume(), terminal: false, useGlobal: true })
      prompt.on('error', () => undefined)
      return input
    },
    async take({ ports }, input: PassThrough) {
      input.write(`void fetch('http://${HOST}:${ports.http}').catch(() => undefined)\n`)
    },
  },
  {
    name: 'code, by a prompt of repl',
    needs: ['http'],
    async take({ ports }) {
      const input = new PassThrough()
      repl.start({ input, output: new PassThrough().resume(), terminal: false, useGlobal: true })
      input.write(`void fetch('http://${HOST}:${ports.http}').catch(() => undefined)\n`)
      await new Promise((resolve) => setImmediate(resolve))
    },
  },
  {
    name: 'spawn in an exit handler of the process',
    needs: [],
    open: "A handler of the process's `exit` event",
    async take({ folder }) {
      process.on('exit', () => {
        childProcess.execFileSync(process.execPath, [
          '-e',
          `require('node:fs').writeFileSync(${JSON.stringify(`${folder}/written-at-exit`)}, '')`,
        ])
      })
    },
  },
]
