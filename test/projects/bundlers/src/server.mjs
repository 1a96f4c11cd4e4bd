import { createServer } from 'node:http'
import { createRecorder, tool } from 'goldenrun'

const recorder = createRecorder({ store: process.env['RUNS'] ?? 'runs' })
const look = tool('look', { effect: 'read' }, (id) => Promise.resolve({ id, total: 4900 }))

/** It answers its own question over HTTP, as an agent asks a service. */
async function desk({ id, url }) {
  return { order: await look(id), rate: await (await fetch(`${url}/rate`)).json() }
}

const server = createServer((request, response) => {
  if (request.url === '/rate') return void response.end('{"usd":1}')
  const { port } = server.address()
  recorder.run({ agent: 'desk', input: { id: 'ord_1', url: `http://127.0.0.1:${port}` } }, desk).then(
    (found) => response.end(JSON.stringify(found)),
    (error) => response.writeHead(500).end(String(error)),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.(server.address().port))
process.on('message', () => {
  server.close()
  server.closeAllConnections()
  void recorder.close().then(() => {
    process.send?.(recorder.stats().recorded)
    process.disconnect()
  })
})
