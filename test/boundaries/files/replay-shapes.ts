import fs from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { replay } from '../../../src/replay/replay.ts'
import { digest } from '../../../src/replay/traces/digest.ts'
import { decodeTrace } from '../../../src/trace/read.ts'
import { fileShapes, type FileShape, fillFolder } from '../../support/file-shapes.ts'
import { recordRun } from '../../support/record-run.ts'

// A process that records programs, or replays them: `replay-shapes.ts <what> <folder of the programs> <folder of the traces>`.

const [what, home = '', kept = ''] = process.argv.slice(2)

const shapes: readonly (readonly [string, FileShape])[] = [
  ...Object.entries(fileShapes),
  [
    'loads modules that it wrote',
    async (folder) => {
      const write = (name: string, text: string): void => fs.writeFileSync(join(folder, name), text)
      write('tool.cjs', 'exports.of = require("./help").of')
      write('help.js', 'exports.of = "cjs"')
      write('settings.json', '{ "of": "json" }')
      write('help.mjs', 'export const help = () => "esm"')
      const imports = 'import fs from "node:fs"; import { help } from "./help.mjs"; import { plain } from "./data/plain.mjs"'
      write('tool.mjs', `${imports}; export const of = [help(), plain, fs.readFileSync(new URL("app.log", import.meta.url), "utf8")]`)
      const require = createRequire(join(folder, 'loader.cjs'))
      const loaded = [
        require(join(folder, 'tool.cjs')),
        require('./settings.json'),
        await import(pathToFileURL(join(folder, 'tool.mjs')).href),
      ]
      return loaded.map(({ of }: { of: unknown }) => of)
    },
  ],
]

const folderOf = (index: number): string => join(home, String(index))
const agentOf = (index: number, shape: FileShape) => async (): Promise<unknown> => await shape(folderOf(index))

/** Leaves every folder as the program finds it. */
async function recordAll(): Promise<void> {
  for (const [index, [, shape]] of shapes.entries()) {
    fillFolder(folderOf(index))
    const { text } = await recordRun(agentOf(index, shape))
    fs.writeFileSync(join(kept, `${index}.jsonl`), text)
    fillFolder(folderOf(index))
  }
}

async function replayAll(): Promise<void> {
  const replays: Record<string, unknown> = {}
  for (const [index, [name, shape]] of shapes.entries()) {
    const trace = decodeTrace(fs.readFileSync(join(kept, `${index}.jsonl`), 'utf8'), `${index}.jsonl`, digest)
    const runs = []
    for (let time = 0; time < 3; time += 1) runs.push(await replay(trace, agentOf(index, shape)))
    replays[name] = { differs: runs.flatMap(({ divergences }) => divergences), hashes: new Set(runs.map(({ hash }) => hash)).size }
  }
  console.log(JSON.stringify(replays))
}

/** A replay that never ends by itself. */
async function hang(): Promise<void> {
  let times = 0
  const agent = async (): Promise<void> => {
    fs.writeFileSync(join(home, 'never.txt'), 'never')
    times += 1
    if (times === 1) return
    fs.writeSync(1, 'hangs\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  const { trace } = await recordRun(agent)
  fs.rmSync(join(home, 'never.txt'))
  await replay(trace, agent)
}

async function writeOnce(): Promise<void> {
  const agent = (): void => fs.writeFileSync(join(home, 'once.txt'), 'once')
  const { trace } = await recordRun(agent)
  fs.rmSync(join(home, 'once.txt'))
  await replay(trace, agent)
}

/** A user who may read the folder and not write to it. */
async function beWithoutPermission(): Promise<void> {
  if (process.getuid?.() === 0) process.setuid?.(65_534)
  const removal = (): void => fs.rmSync(join(home, 'src'), { recursive: true })
  const codes = async (): Promise<unknown> => {
    const tries: readonly (() => unknown)[] = [
      () => fs.writeFileSync(join(home, 'new'), ''),
      () => fs.appendFileSync(join(home, 'app.log'), 'x'),
      () => fs.unlinkSync(join(home, 'app.log')),
      removal,
      () => fs.mkdirSync(join(home, 'made/deep'), { recursive: true }),
      () => fs.renameSync(join(home, 'app.log'), join(home, 'other.log')),
      () => fs.symlinkSync('x', join(home, 'link')),
      () => fs.copyFileSync(join(home, 'app.log'), join(home, 'src/a.ts')),
    ]
    return tries.map((make) => {
      try {
        return make() ?? 'done'
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        // A recursive removal fails below the folder.
        return make === removal ? code : message.replaceAll(home, '')
      }
    })
  }
  const { trace, output } = await recordRun(codes)
  const run = await replay(trace, codes)
  console.log(JSON.stringify({ output, differs: run.divergences }))
}

const modes: Readonly<Record<string, () => Promise<void>>> = {
  record: recordAll,
  replay: replayAll,
  hang,
  once: writeOnce,
  permissions: beWithoutPermission,
}
await modes[String(what)]?.()
process.exit(0)
