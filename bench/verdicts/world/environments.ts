/** Where an agent runs. */
export type Environment = 'production' | 'ci'

/** The agents' variables in each environment. Services know all of these keys, and whose they are. */
const VARIABLES: Readonly<Record<Environment, Readonly<Record<string, string>>>> = {
  production: {
    DESK_API_KEY: 'dk_4f1c9b7e2d8a6053',
    DESK_ADMIN_KEY: 'da_91e0d7c35b2f4a86',
    LIBRARY_TOKEN: 'lt_0c6b2e9d4f7a1853',
    ARCHIVE_TOKEN: 'lt_a83f5d1c7e904b26',
    FORGE_TOKEN: 'ft_6d2a9c4e8b1f7035',
    REGISTRY_TOKEN: 'rt_f47b0e3d95c2a168',
    BANK_SECRET_KEY: 'bk_2b8d5f0a7c1e9346',
    LEDGER_SECRET_KEY: 'lk_c59e1a4d3f8b0726',
    TRIPS_API_KEY: 'tk_8e3c7a1d5b9f2046',
    LETTERS_API_KEY: 'wk_1d6f0b8e4a2c9735',
  },
  ci: {
    DESK_API_KEY: 'dk_ci_77a0e4c2b91f',
    DESK_ADMIN_KEY: 'da_ci_1b5d8f3e60c4',
    LIBRARY_TOKEN: 'lt_ci_c93e2a7f105b',
    ARCHIVE_TOKEN: 'lt_ci_4d81b6f0e72a',
    FORGE_TOKEN: 'ft_ci_e05c7b2d984f',
    REGISTRY_TOKEN: 'rt_ci_3a9f6d1e80b7',
    BANK_SECRET_KEY: 'bk_ci_9e4b0d7f25c1',
    LEDGER_SECRET_KEY: 'lk_ci_58f2c3a6e1d0',
    TRIPS_API_KEY: 'tk_ci_b17d4e9a0f63',
    LETTERS_API_KEY: 'wk_ci_06e8a5c4d2f9',
  },
}

/** Runs code with the variables of an environment. All code of the process has them. */
export async function inEnvironment<Result>(name: Environment, body: () => Promise<Result>): Promise<Result> {
  const variables = VARIABLES[name]
  const before = Object.keys(variables).map((variable) => [variable, process.env[variable]] as const)
  Object.assign(process.env, variables)
  try {
    return await body()
  } finally {
    for (const [variable, value] of before) {
      if (value === undefined) delete process.env[variable]
      else process.env[variable] = value
    }
  }
}

const OWNERS = new Map(Object.values(VARIABLES).flatMap((variables) => Object.entries(variables).map(([variable, key]) => [key, variable])))

/** Names the owners of the keys in a text. */
export function nameKeys(text: string): string {
  return text.replaceAll(/\b\w{2}_[\w]{12,}/g, (key) => `<${OWNERS.get(key) ?? key}>`)
}
