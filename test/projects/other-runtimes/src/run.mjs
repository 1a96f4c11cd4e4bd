import { createServer } from 'node:http'
import 'goldenrun/register'
import { checkpoint, createRecorder, external, tool } from 'goldenrun'

process.on('warning', ({ message }) => console.log(message))

const server = createServer((_request, response) => response.end('found'))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const look = tool(
  'look',
  { effect: 'read' },
  async (path) => await (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text(),
)
const store = external('store', async (text) => text.length)

async function agent({ path }) {
  const text = await look(path)
  checkpoint('looked', { text })
  await new Promise((resolve) => setTimeout(resolve, 5))
  return { text, stored: await store(text) }
}

const recorder = createRecorder({ store: 'runs', sample: { rest: 0.5 }, redact: { fields: ['text'] } })
const again = createRecorder()
console.log(await recorder.run({ agent: 'agent', input: { path: '/order' } }, agent))
console.log(
  await again
    .run({ agent: 'agent', input: {} }, () => {
      throw new Error('not today')
    })
    .catch(({ message }) => `threw: ${message}`),
)
await recorder.flush()
await recorder.close()
await again.close()
const { begun, recorded, failed } = recorder.stats()
console.log({ begun, recorded, failed })
server.close()
server.closeAllConnections?.()
