// Leads every host name to this machine, so that an agent can use a provider's own. To be imported before any SDK, which may keep `lookup`.
import dns from 'node:dns'

dns.lookup = (...asked) => {
  const options = asked.length === 3 ? asked[1] : {}
  const done = asked.at(-1)
  process.nextTick(() => (options.all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4)))
}
