import dns from 'node:dns'
import { createServer } from 'node:http'
// Every host is this machine, so that an agent can ask a product at its own.
dns.lookup = (name, options, done = options) => {
  const isEvery = typeof options === 'object' && options.all
  process.nextTick(() => (isEvery ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)))
}

/** A server on loopback that answers as the products do. */
export async function listen() {
  const asked = []
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const { method, url } = request
    asked.push(`${method} ${url.replace(/\?.*/, '')}`)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(answerTo(url)))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  const answerTo = (path) => {
    if (path.includes('/prompts/'))
      return {
        name: path.split('/').at(-1),
        version: 3,
        type: 'text',
        prompt: `You are {{tone}} (${path.split('/').at(-1)}).`,
        config: {},
        labels: [],
        tags: [],
      }
    if (path.startsWith('/commits/')) return { commit_hash: 'abc', manifest: { template: path }, examples: [] }
    if (path.startsWith('/flags'))
      return { flags: { 'new-tool': { key: 'new-tool', enabled: true, variant: 'b', reason: {}, metadata: { id: 1, version: 1 } } } }
    if (path.startsWith('/sdk/'))
      return {
        flags: {
          'new-tool': {
            key: 'new-tool',
            on: true,
            variations: ['a', 'b'],
            fallthrough: { variation: 1 },
            offVariation: 0,
            salt: 's',
            version: 1,
            targets: [{ variation: 0, values: ['user_2'] }],
            rules: [],
            prerequisites: [],
          },
        },
        segments: {},
      }
    if (path.startsWith('/api/features/')) return { status: 200, features: { 'new-tool': { defaultValue: path } } }
    if (path.endsWith('/chat/completions'))
      return {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
      }
    if (path.includes('/api/v2/logs/') || path.includes('/query') || path.includes('/issues')) return { found: 42 }
    if (path.endsWith('/info')) return { version: '0.9', batch_ingest_config: {}, instance_flags: {} }
    return {}
  }
  return {
    url,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}
