const cancel = "await fetch(`${process.env.SHOP_URL}/orders/${id}/cancel`, { method: 'POST' })"
const called = 'await client.callTool({ name: asked.name, arguments: JSON.parse(asked.arguments) })'

/** Frameworks that read a tool's arguments by its schema before they call it. */
const parsing = new Set([
  'ai-sdk-loop',
  'langgraph-fan-out',
  'langgraph-invoke',
  'langgraph-stream',
  'mastra',
  'mastra-libsql',
  'mastra-memory',
  'voltagent',
  'voltagent-stream',
])

/** Edits of an agent's source, by what they change: each is a text of it and what is put in its place. */
export function mutants(name) {
  const prompt = { prompt: ['about orders.', 'about parcels.'] }
  if (name === 'mcp-http')
    return {
      ...prompt,
      argument: [called, called.replace('JSON.parse(asked.arguments)', '{ ...JSON.parse(asked.arguments), now: true }')],
      'one call less': [
        called,
        `asked.name === 'cancel_order' ? { content: [{ text: '{"id":"ord_1","status":"cancelled"}' }] } : ${called}`,
      ],
      'one call more': [`const { content } = ${called}`, `await client.ping()\n      const { content } = ${called}`],
    }
  return {
    ...prompt,
    ...(parsing.has(name) ? { argument: ['z.string()', 'z.string().toUpperCase()'] } : {}),
    request: [cancel, cancel.replace('${id}', '${id.toUpperCase()}')],
    'one call less': [cancel, "Response.json({ id, status: 'cancelled' })"],
    'one call more': [
      `const response = ${cancel}`,
      `await fetch(\`\${process.env.SHOP_URL}/orders/\${id}\`)\n    const response = ${cancel}`,
    ],
  }
}
