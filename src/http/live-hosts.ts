/**
 * Returns whether a contact's host is declared live: by the same text, or without its port. `localhost` stands for every loopback address.
 *
 * @param contacted `db.internal:5432`, `[::1]:6379`, `127.0.0.1`, the path of a socket, a command; or the address that a socket is bound to.
 * @param live `db.internal`, `db.internal:5432`, `localhost`, `/run/postgres.sock`.
 */
export function isLiveHost(contacted: string, live: readonly string[]): boolean {
  const host = contacted.replace(/ \(bound\)$/, '')
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return live.some((entry) => entry === contacted || entry === host || entry === name || (entry === 'localhost' && isLoopback(name)))
}

/** Source: RFC 5735, section 4 (127.0.0.0/8); RFC 4291, section 2.5.3 (::1); RFC 6761, section 6.3 (names below `localhost`). */
function isLoopback(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || /^(::ffff:)?127(\.\d+){3}$/.test(name) || name === '::1'
}
