/** A package with an addon, and code that uses it and reaches nothing. */
export interface Innocent {
  readonly name: string
  /** Packages to install. Default: the one of this name. */
  readonly install?: readonly string[]
  /** The body of an async function that gets `load`, a `require`, and returns a text that is the same each time. */
  readonly use: string
  /** Its addon can open connections or start programs; here it does not. Default: it cannot. */
  readonly isSuspect?: true
}

/** Packages that the repository's own tests have. */
export const ownInnocents: readonly Innocent[] = [
  {
    name: 'better-sqlite3',
    use: "const D = load('better-sqlite3'); const d = new D(':memory:'); const { n } = d.prepare('SELECT 41 + 1 AS n').get(); d.close(); return String(n)",
  },
  {
    name: 'lightningcss',
    use: "return load('lightningcss').transform({ filename: 'a.css', code: Buffer.from('a { color: #ff0000 }'), minify: true }).code.toString()",
  },
  { name: 'rolldown', use: "return typeof (await import(load.resolve('rolldown'))).rolldown" },
  // Loaded for something that this run does not do.
  { name: '@lydell/node-pty', use: "return typeof load('@lydell/node-pty').spawn", isSuspect: true },
  { name: '@boundaryml/baml', use: "return typeof load('@boundaryml/baml/native').BamlRuntime", isSuspect: true },
]

/** Packages that the full suite installs. */
export const furtherInnocents: readonly Innocent[] = [
  { name: 'oxc-parser', use: "return load('oxc-parser').parseSync('a.js', 'let a = 1').program.type" },
  { name: 'unrs-resolver', use: "return typeof new (load('unrs-resolver').ResolverFactory)({}).sync" },
  {
    name: 'sharp',
    use: "const s = load('sharp'); const b = await s({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).resize(2).png().toBuffer(); return String((await s(b).metadata()).width)",
  },
  { name: 'bcrypt', use: "const b = load('bcrypt'); return String(await b.compare('a', await b.hash('a', 4)))" },
  { name: 'argon2', use: "const a = load('argon2'); return String(await a.verify(await a.hash('a'), 'a'))" },
  {
    name: '@napi-rs/canvas',
    use: "const c = load('@napi-rs/canvas').createCanvas(8, 8); c.getContext('2d').fillRect(0, 0, 4, 4); return String((await c.encode('png')).length > 0)",
  },
  { name: 'esbuild', use: "return typeof load('esbuild').transform" },
  { name: '@swc/core', use: "return load('@swc/core').transformSync('const a = 1', {}).code" },
  { name: 'onnxruntime-node', use: "return typeof load('onnxruntime-node').InferenceSession.create" },
  { name: 'tokenizers', use: "return typeof load('tokenizers').Tokenizer" },
  { name: '@node-rs/jieba', use: "return typeof load('@node-rs/jieba').Jieba" },
  { name: '@node-rs/crc32', use: "return String(load('@node-rs/crc32').crc32('a'))" },
  { name: '@node-rs/xxhash', use: "return String(load('@node-rs/xxhash').xxh32('a', 0))" },
  { name: 'snappy', use: "return String(load('snappy').compressSync('aaaa').length)" },
  { name: 'bufferutil', use: "return typeof load('bufferutil').mask" },
  { name: 'utf-8-validate', use: "return String(load('utf-8-validate')(Buffer.from('a')))" },
  { name: 'msgpackr-extract', use: "return typeof load('msgpackr-extract').extractStrings" },
  {
    name: '@resvg/resvg-js',
    use: `return String(new (load('@resvg/resvg-js').Resvg)('<svg xmlns="http://www.w3.org/2000/svg" width="2" height="2"/>').render().width)`,
  },
  { name: '@sentry/node-cpu-profiler', use: "return typeof load('@sentry/node-cpu-profiler')" },
  { name: '@datadog/pprof', use: "return typeof load('@datadog/pprof').time" },
  { name: '@datadog/native-metrics', use: "const m = load('@datadog/native-metrics'); m.start(); m.stop(); return 'ok'" },
  { name: 'rollup', use: "return (await load('rollup/parseAst').parseAstAsync('let a')).type" },
  { name: '@tailwindcss/oxide', use: "return typeof load('@tailwindcss/oxide').Scanner" },
  { name: '@oxc-node/core', use: "return typeof load('@oxc-node/core').transform" },
]

/** What a run does beside. Each is an agent of its own; what `before` opens stays open while it is replayed. */
export interface Activity {
  readonly name: string
  /** Statements that run when the module loads; may await. Default: none. */
  readonly before?: string
  /** Statements of the run. Default: none. */
  readonly during?: string
}

/** `PORT` is an HTTP server, which answers anything. */
export const activities: readonly Activity[] = [
  { name: 'nothing' },
  { name: 'fetch', during: 'await (await fetch(`http://127.0.0.1:${process.env.PORT}/a`)).text()' },
  {
    name: 'program',
    during: "await new Promise((done) => node('child_process').execFile(process.execPath, ['-p', '1'], (error, out) => done(out)))",
  },
  { name: 'program at once', during: "node('child_process').execFileSync(process.execPath, ['-p', '1'])" },
  {
    name: 'timer and key',
    during: "await new Promise((done) => setTimeout(done, 20)); await new Promise((done) => node('crypto').scrypt('a', 'b', 16, done))",
  },
  { name: 'name', during: "await node('dns').promises.lookup('localhost')" },
]

/** What a process may have open beside the runs. Golden files and commands refuse most of it. */
export const surroundings: readonly Activity[] = [
  {
    name: 'open socket',
    before: "const s = node('net').connect(process.env.PORT, '127.0.0.1'); await node('events').once(s, 'connect'); s.unref()",
  },
  {
    name: 'paused socket',
    before: "const s = node('net').connect(process.env.PORT, '127.0.0.1'); await node('events').once(s, 'connect'); s.pause(); s.unref()",
  },
  { name: 'kept connection', before: 'await (await fetch(`http://127.0.0.1:${process.env.PORT}/b`)).text()' },
  {
    name: 'datagrams',
    before: "const d = node('dgram').createSocket('udp4'); await new Promise((done) => d.bind(0, '127.0.0.1', done)); d.unref()",
  },
  {
    name: 'server with a client',
    before:
      "const v = node('net').createServer((c) => c.unref()).listen(0, '127.0.0.1').unref(); await node('events').once(v, 'listening'); const c = node('net').connect(v.address().port, '127.0.0.1'); await node('events').once(c, 'connect'); c.unref()",
  },
  { name: 'child', before: "node('child_process').spawn('sleep', ['60'], { stdio: 'ignore' }).unref()" },
  {
    name: 'thread with a socket',
    before:
      "const w = new (node('worker_threads').Worker)(`const s = require('node:net').connect(${process.env.PORT}, '127.0.0.1'); s.on('connect', () => require('node:worker_threads').parentPort.postMessage(1))`, { eval: true }); await node('events').once(w, 'message'); w.unref()",
  },
  {
    name: 'thread with a child',
    before:
      "const w = new (node('worker_threads').Worker)(`require('node:child_process').spawn('sleep', ['60'], { stdio: 'ignore' }); require('node:worker_threads').parentPort.postMessage(1); setInterval(() => 0, 1000)`, { eval: true }); await node('events').once(w, 'message'); w.unref()",
  },
  {
    name: 'names looked up',
    before: "const again = () => node('dns').lookup('golden.invalid', () => setTimeout(again, 10).unref()); again()",
  },
]

/** Writes a module with an agent for each activity, by their index: `agent0`. */
export function writeAgents({ use }: Innocent, all: readonly Activity[], from: string): string {
  const agents = all.map(({ during = '' }, index) => `export async function agent${index}() {\n  ${during}\n  return await use()\n}\n`)
  const before = all.flatMap(({ before: code }) => (code === undefined ? [] : [`{ ${code} }\n`]))
  return [
    "import { createRequire } from 'node:module'\n",
    `const load = createRequire(${JSON.stringify(from)})\nconst node = (name) => process.getBuiltinModule('node:' + name)\n`,
    `const use = async () => { ${use} }\nawait use()\n`,
    ...before,
    ...agents,
  ].join('')
}
