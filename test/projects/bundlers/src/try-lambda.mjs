// Zips a built handler, unzips it where nothing can be written, and calls it as Lambda does: the process stands still between two calls.
import { unzipSync, zipSync } from 'fflate'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listTraces, readTrace } from 'goldenrun/replay'

const [, , file = ''] = process.argv
const shop = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: request.url.split('/').at(-1), status: 'packed' }))
})
await once(shop.listen(0, '127.0.0.1'), 'listening')

const [task, temporary] = [mkdtempSync(join(tmpdir(), 'goldenrun-task-')), mkdtempSync(join(tmpdir(), 'goldenrun-tmp-'))]
const zip = zipSync({ 'index.mjs': readFileSync(file) })
for (const [name, bytes] of Object.entries(unzipSync(zip))) writeFileSync(join(task, name), bytes)
const runtime = `import { handler } from './index.mjs'
process.on('message', async (event) => process.send(await handler(event)))
`
writeFileSync(join(task, 'runtime.mjs'), runtime)
chmodSync(task, 0o555)

const env = { ...process.env, TMPDIR: temporary, SHOP: `http://127.0.0.1:${shop.address().port}` }
const child = fork(join(task, 'runtime.mjs'), { cwd: task, env, silent: true })
let said = ''
child.stderr.on('data', (data) => (said += data))
for (const order of ['ord_1', 'ord_2']) {
  child.send({ order })
  const [answer] = await once(child, 'message')
  console.log(answer.statusCode, answer.body)
  child.kill('SIGSTOP')
  console.log('recorded', (await listTraces({ store: join(temporary, 'runs') })).length)
  child.kill('SIGCONT')
}
child.kill('SIGKILL')
await once(child, 'exit')
for (const { id } of await listTraces({ store: join(temporary, 'runs') })) {
  const { steps, end } = await readTrace(id, { store: join(temporary, 'runs') })
  console.log(steps.map(({ boundary }) => boundary).join(', '), JSON.stringify(end?.output))
}
console.log('written beside the code', existsSync(join(task, '.goldenrun')))
for (const line of said.split('\n')) if (line.includes('Warning: goldenrun')) console.log(line.replace(/^\(node:\d+\) /, ''))
chmodSync(task, 0o755)
for (const folder of [task, temporary]) rmSync(folder, { recursive: true })
shop.close()
shop.closeAllConnections()
