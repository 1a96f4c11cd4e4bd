/** Browsers can send no headers of their own, so that keys come as protocols: `openai-insecure-api-key.…`. */
export function withoutSecret(protocol: string): string {
  return protocol.replace(/^(.*(?:key|token|auth|bearer|secret)[._-]).+$/i, '$1*')
}

/** The protocol of those that are offered which is written so without its secret. */
export function offeredProtocol(chosen: string, offered: readonly string[]): string {
  return offered.find((protocol) => withoutSecret(protocol) === chosen) ?? chosen
}
