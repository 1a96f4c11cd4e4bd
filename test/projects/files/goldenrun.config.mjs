// The agents' sources, or one of their bundles.
const file = process.env.FILE_AGENTS ?? './src/file-agents.mjs'
const names = ['onPromises', 'onStreams', 'onSync', 'onTaken']
export default { agents: Object.fromEntries(names.map((name) => [name, `${file}#${name}`])) }
