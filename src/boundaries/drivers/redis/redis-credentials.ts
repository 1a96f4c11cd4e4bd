/** The arguments of a command. Credentials in them get names, by which redaction recognises them. */
export function nameCredentials(verb: string, args: readonly unknown[]): readonly unknown[] {
  const isSecret = credentialsOf(verb, args)
  return isSecret === undefined ? args : args.map((value, index) => (isSecret(index) ? { password: value } : value))
}

/** An argument as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value)
}

type IsSecret = (index: number) => boolean

/** Source: Redis, "Commands". */
function credentialsOf(verb: string, args: readonly unknown[]): IsSecret | undefined {
  const word = (index: number): string => (index >= 0 && index < args.length ? textOf(args[index]).toUpperCase() : '')
  switch (verb) {
    case 'AUTH':
      return (index) => index === args.length - 1
    case 'HELLO':
      return (index) => word(index - 2) === 'AUTH'
    case 'MIGRATE':
      return (index) => index > 4 && (word(index - 1) === 'AUTH' || word(index - 2) === 'AUTH2')
    case 'CONFIG':
      return word(0) === 'SET' ? (index) => index % 2 === 0 && isConfiguredCredential(word(index - 1)) : undefined
    case 'ACL':
      return word(0) === 'SETUSER' ? (index) => index > 1 && /^[<>#!]./.test(word(index)) : undefined
    case 'SENTINEL':
      return (index) => /^AUTH-PASS$/.test(word(index - 1))
    case 'HSET':
    case 'HMSET':
    case 'HSETNX':
      return (index) => index > 1 && index % 2 === 0 && isCredential(word(index - 1))
    case 'HSETEX':
    case 'XADD':
      // Pairs of name and value come last.
      return (index) => index > 1 && (args.length - index) % 2 === 1 && isCredential(word(index - 1))
    case 'MSET':
    case 'MSETNX':
      return (index) => index % 2 === 1 && isCredential(word(index - 1))
    case 'SETEX':
    case 'PSETEX':
      return (index) => index === 2 && isCredential(word(0))
    case 'SET':
    case 'SETNX':
    case 'GETSET':
      return (index) => index === 1 && isCredential(word(0))
    default:
      return undefined
  }
}

/** Whether the configuration parameter with this name, in capitals, is a credential. */
export function isConfiguredCredential(name: string): boolean {
  return /^(?:REQUIREPASS|MASTERAUTH|TLS-.*-PASS)$/.test(name)
}

/** Whether the key or field with this name, in capitals, holds a credential. */
export function isCredential(name: string): boolean {
  return /(?:PASSW(?:OR)?D|PASSPHRASE|API[_-]?KEY|CLIENT[_-]?SECRET|(?:ACCESS|REFRESH|AUTH|SESSION)[_-]?TOKEN|PRIVATE[_-]?KEY)$/.test(name)
}
