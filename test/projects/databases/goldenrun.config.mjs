// The agents' sources, or one of their bundles.
const file = process.env.SHOP_AGENT ?? './src/shop-agent.mjs'
const names = ['onPg', 'onPostgres', 'onMysql', 'onIoredis', 'onRedis', 'onMongodb', 'onBetterSqlite', 'onNodeSqlite', 'onLibsql']
export default { agents: Object.fromEntries(names.map((name) => [name, `${file}#${name}`])) }
