import { expect, it } from 'vitest'
import { Variables } from '../../src/node/variables.ts'
import { environmentSecrets } from '../../src/redaction/environment-secrets.ts'

it('takes the values of variables that hold credentials, and neither words, paths nor short texts', () => {
  const secret = { SHOP_KEY: 'sk-91c2f7aa03', PGPASSWORD: 'correct-horse-7', GITHUB_TOKEN: '/w+91c2f7aa03d7be11/A=' }
  const others = {
    PWD: '/home/ada/app2',
    OLDPWD: '/home/ada/app1',
    INIT_CWD: '/srv/app3',
    GOOGLE_APPLICATION_CREDENTIALS: '/etc/keys/key1.json',
    TLS_KEY: './keys/server1.pem',
    SORT_KEY: 'created_at',
    PIN_KEY: 'a1b2c3',
    OPENAI_MODEL: 'gpt-4.1-mini',
    HOME: '/home/ada42',
  }
  expect(environmentSecrets(new Variables({ ...others, ...secret })).toSorted()).toEqual(Object.values(secret).toSorted())
})
