import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readTrace } from 'goldenrun/replay'

const shop = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ id: request.url.split('/').at(-1), status: 'packed' }))
})
await once(shop.listen(0, '127.0.0.1'), 'listening')
const runs = mkdtempSync(join(tmpdir(), 'goldenrun-next-'))
const env = { ...process.env, RUNS: runs, SHOP: `http://127.0.0.1:${shop.address().port}` }
const server = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '--port', '0', '--hostname', '127.0.0.1'], { env })
let said = ''
try {
  const port = await new Promise((resolve, reject) => {
    const listen = (text) => {
      said += text
      const [, found] = /http:\/\/127\.0\.0\.1:(\d+)[^]*Ready/.exec(said) ?? []
      if (found !== undefined) resolve(found)
    }
    server.stdout.on('data', listen)
    server.stderr.on('data', listen)
    server.once('exit', () => reject(new Error(said)))
  })
  for (const order of ['ord_1', 'ord_2']) console.log(await (await fetch(`http://127.0.0.1:${port}/api/agent?order=${order}`)).text())
} finally {
  server.kill()
  await once(server, 'exit')
}
for (const name of readdirSync(runs).filter((file) => file.endsWith('.runlog'))) {
  const { steps, end } = await readTrace(join(runs, name))
  console.log(steps.map(({ boundary, owner }) => `${boundary} of ${owner}`).join(', '), JSON.stringify(end?.output))
}
console.log(/redacts and writes recordings on the agents' thread/.test(said) ? 'on the agents’ thread' : 'with a thread of its own')
rmSync(runs, { recursive: true })
shop.close()
shop.closeAllConnections()
