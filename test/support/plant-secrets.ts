import { createRandom } from './random.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Makes texts of kinds that redaction takes out by default: keys of services. */
export function plantSecrets(seed: string, count: number): string[] {
  const random = createRandom(seed)
  const text = (length: number): string => Array.from({ length }, () => letters[random.whole(0, letters.length - 1)]).join('')
  const kinds = [
    () => `sk-proj-${text(40)}`,
    () => `AKIA${text(16).toUpperCase()}`,
    () => `sk-ant-api03-${text(40)}`,
    () => `ghp_${text(36)}`,
  ]
  return Array.from({ length: count }, (_, index) => (kinds[index % kinds.length] ?? kinds[0])?.() ?? '')
}

/** Those of them that stand in a text, as they are or in base64. */
export function findSecrets(text: string, secrets: readonly string[]): string[] {
  return secrets.filter((secret) => text.includes(secret) || text.includes(Buffer.from(secret).toString('base64').slice(4, -4)))
}
