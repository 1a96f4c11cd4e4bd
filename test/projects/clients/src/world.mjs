import { createServer } from 'node:http'
import net from 'node:net'

const json = (response, body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** What the clients' services answer, and a mail server; with `seen`, what they were asked. */
export async function startWorld() {
  const seen = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const { pathname } = new URL(request.url, 'http://world')
    seen.push(`${request.method} ${pathname}`)
    if (pathname.endsWith('/chat/completions')) {
      const { model, messages } = JSON.parse(body)
      const content = model === 'json' ? '{"status":"packed"}' : messages.length > 2 ? 'Yes.' : 'It is packed.'
      const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }]
      return json(response, {
        id: 'cmpl_1',
        object: 'chat.completion',
        created: 1_790_000_000,
        model,
        choices,
        usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
      })
    }
    if (pathname === '/v1/charges/ch_1') return json(response, { id: 'ch_1', object: 'charge', amount: 1250 })
    if (pathname === '/v1/refunds') return json(response, { id: 're_1', object: 'refund', status: 'succeeded' })
    if (pathname === '/repos/shop/orders/issues/1') return json(response, { id: 10, number: 1, title: 'Late' })
    if (pathname === '/repos/shop/orders/issues/1/comments') return json(response, { id: 77, body: JSON.parse(body).body })
    if (pathname === '/rest/v1/orders') return json(response, [{ id: 'ord_1', status: 'packed' }])
    if (pathname === '/query')
      return json(response, { matches: [{ id: 'vec_1', score: 0.75, values: [] }], namespace: '', usage: { readUnits: 5 } })
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  const mail = net
    .createServer((socket) => {
      seen.push('SMTP')
      let isData = false
      socket.write('220 world ESMTP\r\n')
      socket.on('data', (chunk) => {
        for (const line of chunk.toString().split('\r\n').slice(0, -1)) {
          if (isData) {
            if (line === '.') {
              isData = false
              socket.write('250 2.0.0 queued as 1\r\n')
            }
          } else if (/^EHLO/i.test(line)) socket.write('250-world\r\n250 8BITMIME\r\n')
          else if (/^DATA/i.test(line)) {
            isData = true
            socket.write('354 go on\r\n')
          } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
          else socket.write('250 ok\r\n')
        }
      })
      socket.on('error', () => undefined)
    })
    .listen(0, '127.0.0.1')
  await Promise.all([server, mail].map((each) => new Promise((resolve) => each.once('listening', resolve))))
  const { port } = server.address()
  return {
    seen,
    input: { base: `http://127.0.0.1:${port}`, port, smtp: mail.address().port },
    async close() {
      server.closeAllConnections()
      await Promise.all([server, mail].map((each) => new Promise((resolve) => each.close(resolve))))
    },
  }
}
