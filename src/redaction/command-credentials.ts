import { isDrawn } from './credential-fields.ts'
import { hintedRules } from './hinted-patterns.ts'
import type { Rule } from './rule.ts'

/** The rest of a command: no line break, and no sign that ends it. In a form, a space is a plus sign. */
const rest = '[^\\n|;]{0,400}?[\\s+]'
const options = `(?:${rest})?`
const value = '\\\\*["\']{0,2}(?<secret>[^\\s"\'\\\\|;<>]{4,1000})'
const signIn = '(?:docker|podman|nerdctl|helm registry|buildah|skopeo|az|az acr|oc|cf|heroku|npm) login'

/** Commands and their options whose values are passwords. The options of others mean ports, paths and processes. A space is one of a form as well. */
const commands: readonly (readonly [hint: readonly string[], pattern: string])[] = [
  [['mysql', 'mariadb'], `(?:mysql|mariadb)\\w{0,12}${rest}-p${value}`],
  [['sshpass', ' login', '+login', 'mongo'], `(?:sshpass|${signIn}|mongo\\w{0,8})${rest}-p[ =]?${value}`],
  [['redis-cli', 'valkey-cli'], `(?:redis-cli|valkey-cli)${rest}-a ${value}`],
  [
    ['http -', 'https -', 'http+-', 'https+-', '--auth'],
    `\\bhttps? ${options}(?:-a|--auth)[ =]\\\\*["']?[\\w.@+-]{1,100}:(?<secret>[^\\s"'\\\\]{4,1000})`,
  ],
  [['curl ', 'curl+'], `curl ${options}(?:-b|--cookie)[ =]?\\\\*["']?[\\w.-]{1,100}=(?<secret>[^\\s;"'\\\\]{4,4000})`],
  [['curl ', 'curl+'], `curl ${options}(?:-E|--cert|--proxy-cert)[ =]?[^\\s:"']{1,200}:(?<secret>[^\\s"'\\\\]{4,200})`],
  [['pass:'], '-pass(?:in|out)? \\\\*["\']?pass:(?<secret>[^\\s"\'\\\\]{4,200})'],
  [['storepass', 'keypass'], `-(?:src|dest)?(?:storepass|keypass)[ =]${value}`],
  [['ldap'], `ldap(?:search|add|modify|delete|passwd|whoami)${rest}-w ${value}`],
  [
    ['smbclient', 'rpcclient', 'smbget'],
    `(?:smbclient|rpcclient|smbget)${rest}-U ?\\\\*["']?[^\\s%"']{1,100}%(?<secret>[^\\s"'\\\\]{4,200})`,
  ],
  [['net use', 'net+use'], `net use ${rest}(?<secret>[^\\s"'/\\\\]{4,200})(?= /user:)`],
  [
    ['config set', 'config+set', 'configure set', 'configure+set'],
    `(?:configure|config) set [\\w./:-]{0,200}?(?:_authToken|_password|_auth|secret_access_key|session_token|password|token|secret)[ =]${value}`,
  ],
  [['secret set', 'secret+set', 'variable set', 'variable+set'], `(?:secret|variable) set ${rest}(?:-b|--body)[ =]${value}`],
  [['password-stdin', 'with-token'], `echo (?:-n )?${value}(?=["'\\\\]* ?\\| ?[\\w./+\\x20-]{1,100}(?:--password-stdin|--with-token))`],
]

/** Finds the passwords in the options of known commands. One name, with a rule for each way to search. */
export const commandCredentials: readonly Rule[] = hintedRules(
  'command-credential',
  commands.map(([hint, pattern]) => ({
    hint,
    get pattern() {
      return pattern.replaceAll('[ =]', '[ +=]').replaceAll(/(?<!\[) /g, '[ +]')
    },
    isSecret: isDrawn,
  })),
)
