// An MCP server that does nothing but answer: what it costs is the protocol.
let open = ''
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'bench', version: '1.0.0' } }),
  'tools/list': () => ({ tools: [{ name: 'get_order', inputSchema: { type: 'object' } }] }),
  'tools/call': ({ arguments: { order_id: id } }) => ({
    content: [{ type: 'text', text: `order ${id} was paid and has not been shipped` }],
  }),
}
process.stdin.on('data', (piece) => {
  const lines = (open + String(piece)).split('\n')
  open = lines.pop()
  for (const line of lines) {
    const { id, method, params } = JSON.parse(line)
    if (id !== undefined) say({ id, result: answers[method](params) })
  }
})
