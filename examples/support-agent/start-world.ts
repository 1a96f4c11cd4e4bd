import { type Payments, type PaymentsFaults, startPayments } from '../world/payments.ts'
import { type Provider, startProvider } from '../world/provider.ts'
import type { Script } from '../world/turn.ts'
import { createSupportScript } from './scripts.ts'

/** Where the servers of a support world listen. */
export interface SupportWorldPorts {
  readonly provider: number
  readonly payments: number
}

/** What differs from one support world to another. */
export interface SupportWorldOptions {
  /** Default: answers the tickets in `scripts.ts`. */
  readonly script?: Script
  /** Default: none. */
  readonly faults?: PaymentsFaults
  /** Fixed ports, or 0 for ports that the system picks. Default: 0. */
  readonly ports?: SupportWorldPorts
}

type SupportVariable = 'OPENAI_BASE_URL' | 'OPENAI_API_KEY' | 'ANTHROPIC_BASE_URL' | 'ANTHROPIC_API_KEY' | 'PAYMENTS_URL'

/** All that the support agent talks to. */
export interface SupportWorld extends AsyncDisposable {
  readonly provider: Provider
  readonly payments: Payments
  /** The environment variables that lead the agent here; it reads them when its modules load. */
  readonly env: Readonly<Record<SupportVariable, string>>
  close(): Promise<void>
}

/** The ports that the agent calls where its environment says nothing. */
export const USUAL_PORTS = { provider: 4010, payments: 4020 } as const

/** Starts a model provider and a payments API for the support agent. */
export async function startSupportWorld({ script, faults, ports }: SupportWorldOptions = {}): Promise<SupportWorld> {
  const provider = await startProvider({ script: script ?? createSupportScript(), port: ports?.provider ?? 0 })
  const payments = await startPayments({ ...(faults && { faults }), port: ports?.payments ?? 0 })
  const close = async (): Promise<void> => {
    await Promise.all([provider.close(), payments.close()])
  }
  return {
    provider,
    payments,
    env: {
      OPENAI_BASE_URL: provider.openaiBaseUrl,
      OPENAI_API_KEY: 'sk-local-openai',
      ANTHROPIC_BASE_URL: provider.anthropicBaseUrl,
      ANTHROPIC_API_KEY: 'sk-local-anthropic',
      PAYMENTS_URL: payments.url,
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
