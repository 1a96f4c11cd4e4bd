/** Signs of base64, as JSON and URLs may write them. */
const slash = '(?:\\\\*/|%2[Ff])'
const plus = '(?:\\+|%2[Bb])'

/**
 * The first characters of private keys and of stores that contain some, in base64 without the lines of PEM: PKCS#1, PKCS#8, SEC 1, PKCS#8 with a
 * password, PKCS#12, Java's key stores and OpenSSH's own format. Certificates and public keys begin differently.
 */
const beginning = new RegExp(
  [
    'MII..[AQgw]IBAAK[BC]',
    'MII..[AQgw]IBADAN',
    'M(?:IG.|IH.)AgEAM',
    'M[A-F].CAQAw[BD]',
    'MHcCAQEE|MIGkAgEBBDB|MIHcAgEBBEI',
    'MII.{5}BgkqhkiG9w0BBQ',
    'MII..[AQgw]IBAz(?:CC|CA)|MIACAQMwg',
    `${slash}u3${plus}7Q|zs7Ozg`,
    'b3BlbnNzaC1rZXktdjEA',
  ].join('|'),
  'y',
)

/** Returns whether a private key or a store of keys begins here, in base64. */
export function isKeyMaterial(text: string, start: number): boolean {
  const first = text.charCodeAt(start)
  // `M`, `/`, `z`, `b`, and escapes: most runs begin differently.
  if (first !== 77 && first !== 47 && first !== 122 && first !== 98 && first !== 37 && first !== 92) return false
  beginning.lastIndex = start
  return beginning.test(text)
}
