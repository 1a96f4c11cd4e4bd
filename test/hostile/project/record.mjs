// Records a run of each agent, and promotes it: golden-traces/<agent>.jsonl and recordings/<agent>.runlog.
import { copyFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import { createRecorder } from 'goldenrun'
import { listTraces, promote, readTrace } from 'goldenrun/replay'
import { WebSocketServer } from 'ws'
import * as agents from './agents.mjs'

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  response.sendDate = false
  if (request.url.startsWith('/v1')) return model(JSON.parse(body), response)
  if (request.url === '/missing') {
    response.writeHead(404, { 'x-a': 'b', trailer: 'x-end' }).addTrailers({ 'x-end': '1' })
    return response.end('none')
  }
  if (request.url === '/old') return response.writeHead(302, { location: '/new', 'set-cookie': ['a=1', 'b=2'] }).end()
  if (request.url === '/status-999') return response.writeHead(999, 'Request denied').end('no')
  if (request.url === '/bytes') return response.end(Buffer.from([0, 255, 1, 254]))
  if (request.url === '/gzip') return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(500)))
  if (request.url !== '/slow') response.end(JSON.stringify({ url: request.url }))
})

function model({ stream, messages }, response) {
  if (stream !== true) {
    const message = { role: 'assistant', content: `answer ${messages.length}` }
    response.setHeader('content-type', 'application/json')
    return response.end(
      JSON.stringify({
        id: 'c',
        object: 'chat.completion',
        model: 'gpt-4.1',
        choices: [{ index: 0, finish_reason: 'stop', message }],
        usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
      }),
    )
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (let index = 0; index < 8; index += 1)
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: `word ${index}` } }] })}\n\n`,
    )
  response.end('data: [DONE]\n\n')
}

await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const sockets = new WebSocketServer({ server })
sockets.on('connection', (socket) =>
  socket.on('message', (data) => {
    socket.send(`{"heard":"${data}"}`)
    socket.send(Buffer.from([1, 2]))
  }),
)
const base = `http://127.0.0.1:${server.address().port}`
mkdirSync('recordings', { recursive: true })
for (const [name, agent] of Object.entries(agents)) {
  const store = `stores/${name}`
  const recorder = createRecorder({ store })
  await recorder.run({ agent: name, input: { base } }, agent).catch(() => undefined)
  await recorder.close()
  const [{ id }] = await listTraces({ store })
  await promote(await readTrace(id, { store }), { name, directory: 'golden-traces' })
  copyFileSync(`${store}/${id}.runlog`, `recordings/${name}.runlog`)
}
sockets.close()
server.closeAllConnections()
server.close()
process.exit(0)
