// The agent's sources, or one of its bundles.
export default { agents: { shop: `${process.env.SHOP_AGENT ?? './src/shop-agent.mjs'}#shop` } }
