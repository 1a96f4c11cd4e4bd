// The agents' sources, or one of their bundles.
const file = process.env.CHANNEL_AGENTS ?? './src/channel-agents.mjs'
const names = ['onBedrock', 'onGrpc', 'onLive', 'onQdrant', 'onRealtime', 'onTls', 'onWeaviate', 'onWebSocket', 'onWs']
export default { agents: Object.fromEntries(names.map((name) => [name, `${file}#${name}`])) }
