import { base32, bytes, der, hex, inLines, password, token } from './draw.ts'

/** What a container holds that must not be on the disk, and the container as people and programs write it. */
export interface ContainerSample {
  readonly secret: string
  readonly text: string
}

type Make = () => ContainerSample

/** A container around a drawn secret. */
const around = (secret: string, put: (secret: string) => string): ContainerSample => ({ secret, text: put(secret) })

const json = (value: unknown): string => JSON.stringify(value, null, 2)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

const numbers = (): string => bytes(256, 'base64url')
const rsa = (part: 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi'): ContainerSample => {
  const parts = { d: numbers(), p: numbers(), q: numbers(), dp: numbers(), dq: numbers(), qi: numbers() }
  return { secret: parts[part], text: json({ kty: 'RSA', kid: '2026-11', use: 'sig', alg: 'RS256', n: numbers(), e: 'AQAB', ...parts }) }
}

const body = (length = 1200): string => inLines(der('308204bd020100300d06092a864886f70d0101010500048204a7', length))
/** A private key in PEM; its second line stands for it. */
const pem = (label: string, put: (pem: string) => string = (text) => text): ContainerSample => {
  const lines = body()
  const text = put(`-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`)
  return { secret: lines.split('\n')[1] ?? '', text }
}

const jsonWebKeys: Readonly<Record<string, Make>> = {
  'JWK of RSA, d': () => rsa('d'),
  'JWK of RSA, p': () => rsa('p'),
  'JWK of RSA, q': () => rsa('q'),
  'JWK of RSA, dp': () => rsa('dp'),
  'JWK of RSA, dq': () => rsa('dq'),
  'JWK of RSA, qi': () => rsa('qi'),
  'JWK of an elliptic curve': () =>
    around(bytes(32, 'base64url'), (d) => json({ kty: 'EC', crv: 'P-256', x: bytes(32, 'base64url'), y: bytes(32, 'base64url'), d })),
  'JWK of Ed25519': () => around(bytes(32, 'base64url'), (d) => `{"crv":"Ed25519","d":"${d}","x":"${bytes(32, 'base64url')}","kty":"OKP"}`),
  'JWK of a symmetric key': () => around(bytes(32, 'base64url'), (k) => json({ kty: 'oct', k, alg: 'HS256' })),
  'JWK in a set of keys': () =>
    around(bytes(32, 'base64url'), (d) => json({ keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'BB', kid: 'a', d }] })),
}

const keyFiles: Readonly<Record<string, Make>> = {
  'PEM of PKCS#8': () => pem('PRIVATE KEY'),
  'PEM of PKCS#8, encrypted': () => pem('ENCRYPTED PRIVATE KEY'),
  'PEM of RSA': () => pem('RSA PRIVATE KEY'),
  'PEM of an elliptic curve': () => pem('EC PRIVATE KEY'),
  'PEM of OpenSSH': () => pem('OPENSSH PRIVATE KEY'),
  'PEM of PGP': () => pem('PGP PRIVATE KEY BLOCK', (text) => text.replace('-----\n', '-----\nVersion: GnuPG v2\n\n')),
  'PEM in one line, with escapes': () => pem('PRIVATE KEY', (text) => `PRIVATE_KEY="${text.replaceAll('\n', '\\n')}"`),
  'PEM in one line, with spaces': () => pem('PRIVATE KEY', (text) => `key: ${text.replaceAll('\n', ' ')}`),
  'PEM without line breaks': () => around(bytes(300), (key) => `-----BEGIN PRIVATE KEY-----${key}-----END PRIVATE KEY-----`),
  'key of PuTTY': () =>
    around(bytes(45), (line) =>
      [
        'PuTTY-User-Key-File-3: ssh-ed25519',
        'Encryption: none',
        'Comment: deploy',
        'Public-Lines: 2',
        inLines(bytes(51)),
        `Private-Lines: 1`,
        line,
        `Private-MAC: ${hex(64)}`,
      ].join('\n'),
    ),
  'DER of PKCS#8, without its lines': () =>
    around(der('308204bd020100300d06092a864886f70d0101010500048204a7', 1190), (key) => `key=${key}`),
  'DER of PKCS#1, without its lines': () => around(der('308204a40201000282010100', 1180), (key) => json({ pem: key })),
  'DER of an elliptic curve, without its lines': () => around(der('30770201010420', 114), (key) => `use ${key} to sign`),
  'DER of Ed25519, without its lines': () => around(der('302e020100300506032b657004220420', 32), (key) => json({ signer: key })),
  'DER of PKCS#8 of an elliptic curve': () =>
    around(der('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 103), (key) => json({ k: key })),
  'DER of PKCS#8, encrypted': () => around(der('3082051c304e06092a864886f70d01050d3041', 1280), (key) => `value: ${key}`),
  'PKCS#12 in base64': () => around(der('30820a5c0201033082', 2600), (store) => json({ certificate: { contents: store } })),
  'PKCS#12 in base64, in lines': () => {
    const store = inLines(der('30820a5c0201033082', 1200), 76)
    return { secret: store.split('\n')[2] ?? '', text: `P12=${store}\n` }
  },
  'PKCS#12 with its password': () => around(password(), (secret) => json({ p12: 'client.p12', p12Password: secret })),
  'Java keystore in base64': () => around(der('feedfeed0000000200000001', 900), (store) => json({ keystore: store })),
  'key of OpenSSH, without its lines': () =>
    around(Buffer.concat([Buffer.from('openssh-key-v1\0\0\0\0\u0004none'), Buffer.from(bytes(200), 'base64')]).toString('base64'), (key) =>
      json({ deploy: key }),
    ),
  'key of WireGuard': () => around(bytes(32), (key) => `[Interface]\nAddress = 10.0.0.2/32\nPrivateKey = ${key}\nDNS = 10.0.0.1\n`),
  'shared key of WireGuard': () =>
    around(bytes(32), (key) => `[Peer]\nPublicKey = ${bytes(32)}\nPresharedKey = ${key}\nEndpoint = vpn.firm.de:51820\n`),
  'key of age': () => around(base32(58), (key) => `# created: 2026-11-30\nAGE-SECRET-KEY-1${key}\n`),
  'private key of Web Push': () => around(bytes(32, 'base64url'), (key) => json({ publicKey: bytes(65, 'base64url'), privateKey: key })),
  'private key of Ethereum': () => around(hex(64), (key) => `PRIVATE_KEY=0x${key}\nRPC_URL=https://rpc.firm.de\n`),
  'words of a wallet': () =>
    around('clutch captain shoe salt awake harvest setup primary inmate ugly among become', (words) => `MNEMONIC="${words}"\n`),
  'secret of one-time passwords': () => around(base32(32), (key) => `otpauth://totp/Shop:ann?secret=${key}&issuer=Shop&digits=6`),
  'service account of Google': () =>
    pem('PRIVATE KEY', (text) =>
      json({ type: 'service_account', project_id: 'shop', private_key_id: hex(40), private_key: text, client_id: '1093847' }),
    ),
  'default login of Google': () =>
    around(token(60), (secret) =>
      json({ client_id: '764086051850-6qr4p6.apps.googleusercontent.com', refresh_token: `1//0${secret}`, type: 'authorized_user' }),
    ),
  'client secret of Google': () =>
    around(token(24), (secret) => json({ installed: { client_id: 'a.apps.googleusercontent.com', client_secret: `GOCSPX-${secret}` } })),
  'service principal of Azure': () =>
    around(token(34), (secret) =>
      json({ appId: 'd3f1c2a0-1111-4222-8333-944455556666', displayName: 'shop', password: secret, tenant: 't' }),
    ),
  'keys of AWS': () =>
    around(token(40), (secret) => json({ AccessKey: { UserName: 'ann', AccessKeyId: 'AKIAQ7XJ4M2N6P8R3T5V', SecretAccessKey: secret } })),
  'session of AWS': () =>
    around(token(200), (secret) => json({ Credentials: { SessionToken: secret, Expiration: '2026-12-01T00:00:00Z' } })),
}

const settings: Readonly<Record<string, Make>> = {
  'login of docker': () =>
    around(base64(`ann:${password()}`), (auth) => json({ auths: { 'registry.firm.de': { auth } }, credsStore: 'desktop' })),
  'identity token of docker': () =>
    around(token(), (secret) => json({ auths: { 'firm.azurecr.io': { auth: 'MDAwMDo=', identitytoken: secret } } })),
  'login of docker, compact': () => around(base64(`_json_key:${password()}`), (auth) => `{"auths":{"gcr.io":{"auth":"${auth}"}}}`),
  'pull secret of Kubernetes': () =>
    around(password(), (secret) => json({ auths: { 'ghcr.io': { username: 'ann', password: secret, auth: base64(`ann:${secret}`) } } })),
  'Secret of Kubernetes': () =>
    around(
      base64(password(18)),
      (secret) =>
        `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: ${base64('admin')}\n  password: ${secret}\n`,
    ),
  'Secret of Kubernetes, by another name': () =>
    around(base64(password(18)), (secret) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  connection: ${secret}\n`),
  'Secret of Kubernetes, in JSON': () =>
    around(base64(password(18)), (secret) => json({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'db' }, data: { main: secret } })),
  'kubeconfig, key of the client': () =>
    around(
      base64(`-----BEGIN RSA PRIVATE KEY-----\n${body(300)}\n-----END RSA PRIVATE KEY-----\n`),
      (key) =>
        `apiVersion: v1\nkind: Config\nusers:\n- name: admin\n  user:\n    client-certificate-data: LS0tLS1CRUdJTiBDRVJU\n    client-key-data: ${key}\n`,
    ),
  'kubeconfig in JSON, key of the client': () =>
    around(base64(`-----BEGIN EC PRIVATE KEY-----\n${body(120)}\n-----END EC PRIVATE KEY-----\n`), (key) =>
      json({ users: [{ name: 'admin', user: { 'client-key-data': key } }] }),
    ),
  'kubeconfig, token': () => around(token(), (secret) => `users:\n- name: ci\n  user:\n    token: ${secret}\n`),
  'kubeconfig, password': () => around(password(), (secret) => `users:\n- name: ci\n  user:\n    username: ci\n    password: ${secret}\n`),
  'npmrc, token': () => around(token(36), (secret) => `//npm.firm.de/:_authToken=${secret}\nalways-auth=true\n`),
  'npmrc, login': () => around(base64(`ann:${password()}`), (secret) => `registry=https://npm.firm.de/\n_auth=${secret}\nemail=ops\n`),
  'npmrc, login of a registry': () => around(base64(`ann:${password()}`), (secret) => `//npm.firm.de/:_auth = "${secret}"\n`),
  'npmrc, password': () => around(base64(password()), (secret) => `//npm.firm.de/:username=ann\n//npm.firm.de/:_password=${secret}\n`),
  'yarnrc, login': () => around(`ann:${password()}`, (secret) => `npmRegistries:\n  "//npm.firm.de":\n    npmAuthIdent: "${secret}"\n`),
  'yarnrc, token': () => around(token(36), (secret) => `npmAuthToken: "${secret}"\nnodeLinker: node-modules\n`),
  'netrc, in one line': () => around(password(), (secret) => `machine api.firm.de login ann password ${secret}\n`),
  'netrc, in lines': () => around(password(), (secret) => `machine api.firm.de\n  login ann\n  password ${secret}\n`),
  'netrc, default': () => around(password(), (secret) => `default login anonymous password ${secret}\n`),
  pgpass: () => around(password(), (secret) => `db.firm.de:5432:orders:shop:${secret}\n`),
  'pgpass, with stars': () => around(password(), (secret) => `# databases\n*:*:*:shop:${secret}\n`),
  'service file of PostgreSQL': () => around(password(), (secret) => `[orders]\nhost=db.firm.de\nuser=shop\npassword=${secret}\n`),
  'my.cnf': () => around(password(), (secret) => `[client]\nuser = shop\npassword = "${secret}"\n`),
  'ini, a section': () => around(password(), (secret) => `[smtp]\nhost = mail.firm.de\npassword = ${secret}\nport = 587\n`),
  'ini, with a comment': () => around(password(), (secret) => `[db]\npassword=${secret} ; rotate in May\n`),
  properties: () => around(password(), (secret) => `spring.datasource.username=shop\nspring.datasource.password=${secret}\n`),
  'properties with colons': () => around(password(), (secret) => `db.user: shop\ndb.password: ${secret}\n`),
  'dotenv, bare': () => around(password(), (secret) => `DB_USER=shop\nDB_PASSWORD=${secret}\n`),
  'dotenv, quoted': () => around(password(), (secret) => `export SMTP_PASS='${secret}'\n`),
  'dotenv, double quotes': () => around(token(), (secret) => `SESSION_SECRET="${secret}"\nPORT=3000\n`),
  'dotenv, key of Laravel': () => around(bytes(32), (secret) => `APP_NAME=Shop\nAPP_KEY=base64:${secret}\nAPP_DEBUG=false\n`),
  'dotenv, key of Rails': () => around(hex(128), (secret) => `RAILS_ENV=production\nSECRET_KEY_BASE=${secret}\n`),
  'dotenv, key of a JSON web token': () => around(token(32), (secret) => `JWT_SECRET=${secret}\n`),
  'dotenv, address of a database': () =>
    around(password(), (secret) => `DATABASE_URL="postgresql://shop:${secret}@db.firm.de:5432/orders"\n`),
  'dotenv, key of encryption': () => around(hex(64), (secret) => `ENCRYPTION_KEY=${secret}\n`),
  'settings of Django': () => around(token(50), (secret) => `DEBUG = False\nSECRET_KEY = 'django-insecure-${secret}'\n`),
  'settings of WordPress': () => around(password(), (secret) => `<?php\ndefine( 'DB_PASSWORD', '${secret}' );\n`),
  'salts of WordPress': () => around(token(64), (secret) => `define('AUTH_KEY',         '${secret}');\n`),
  'password in TOML': () => around(password(), (secret) => `[database]\nuser = "shop"\npassword = "${secret}"\n`),
  'token of cargo': () => around(token(32), (secret) => `[registry]\ntoken = "cio${secret}"\n`),
  'password in YAML': () => around(password(), (secret) => `database:\n  user: shop\n  password: '${secret}'\n`),
  'password of Terraform': () =>
    around(password(), (secret) => `resource "aws_db_instance" "main" {\n  username = "shop"\n  password = "${secret}"\n}\n`),
  'state of Terraform': () =>
    around(password(), (secret) => json({ resources: [{ type: 'aws_db_instance', instances: [{ attributes: { password: secret } }] }] })),
  pypirc: () => around(password(), (secret) => `[pypi]\nusername = ann\npassword = ${secret}\n`),
  'pip.conf': () => around(password(), (secret) => `[global]\nindex-url = https://ann:${secret}@pypi.firm.de/simple\n`),
  'credentials of RubyGems': () => around(hex(48), (secret) => `---\n:rubygems_api_key: rubygems_${secret}\n`),
  'auth.json of Composer': () =>
    around(password(), (secret) => json({ 'http-basic': { 'repo.firm.de': { username: 'ann', password: secret } } })),
  'token in auth.json of Composer': () => around(token(40), (secret) => json({ 'github-oauth': { 'github.com': secret } })),
  'settings of Maven': () =>
    around(password(), (secret) => `<server><id>nexus</id><username>ann</username><password>${secret}</password></server>`),
  'NuGet.config': () =>
    around(password(), (secret) => `<add key="Username" value="ann" />\n<add key="ClearTextPassword" value="${secret}" />`),
  'web.config': () =>
    around(password(), (secret) => `<add name="Shop" connectionString="Server=db;Database=shop;User Id=sa;Password=${secret};" />`),
  'gradle.properties': () => around(password(), (secret) => `mavenUser=ann\nmavenPassword=${secret}\n`),
  'git-credentials': () => around(token(), (secret) => `https://ann:${secret}@git.firm.de\n`),
  s3cfg: () => around(token(40), (secret) => `[default]\naccess_key = QWERTYUIOP\nsecret_key = ${secret}\n`),
  'credentials of AWS': () =>
    around(token(40), (secret) => `[default]\naws_access_key_id = AKIAQ7XJ4M2N6P8R3T5V\naws_secret_access_key = ${secret}\n`),
  'session in credentials of AWS': () => around(token(200), (secret) => `[default]\naws_session_token = ${secret}\n`),
  'rclone.conf': () => around(bytes(30, 'base64url'), (secret) => `[nas]\ntype = sftp\nuser = ann\npass = ${secret}\n`),
  'wpa_supplicant.conf': () => around(password(), (secret) => `network={\n  ssid="Office"\n  psk="${secret}"\n}\n`),
  'Wi-Fi code': () => around(password(), (secret) => `WIFI:S:Office;T:WPA;P:${secret};;`),
  'JAAS of Kafka': () =>
    around(
      password(),
      (secret) =>
        `sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="shop" password="${secret}";\n`,
    ),
  'password in a plist': () =>
    around(password(), (secret) => `<dict><key>user</key><string>ann</string><key>password</key><string>${secret}</string></dict>`),
  'compose file': () => around(password(), (secret) => `services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${secret}\n`),
  'exported passwords': () => around(password(), (secret) => `name,url,username,password\nShop,https://shop.firm.de,ann,${secret}\n`),
  'token of Fly': () => around(`fm2_${token(60)}`, (secret) => `FLY_API_TOKEN="FlyV1 ${secret},fm2_${token(60)}"\n`),
  'password with an escaped quote': () => around(`a"${password()}`, (secret) => JSON.stringify({ password: secret })),
  'password with a backslash': () => around(`${password(4)}\\${password()}`, (secret) => JSON.stringify({ user: 'ann', password: secret })),
}

const connections: Readonly<Record<string, Make>> = {
  PostgreSQL: () => around(password(), (secret) => `postgres://shop:${secret}@db.firm.de:5432/orders?sslmode=require`),
  'PostgreSQL by keywords': () =>
    around(password(), (secret) => `host=db.firm.de port=5432 dbname=orders user=shop password=${secret} sslmode=require`),
  MySQL: () => around(password(), (secret) => `mysql://shop:${secret}@db.firm.de/orders`),
  'MySQL of Go': () => around(password(), (secret) => `shop:${secret}@tcp(db.firm.de:3306)/orders?parseTime=true`),
  MongoDB: () => around(password(), (secret) => `mongodb+srv://shop:${secret}@cluster0.ab1cd.mongodb.net/orders?retryWrites=true`),
  Redis: () => around(password(), (secret) => `rediss://:${secret}@cache.firm.de:6380/0`),
  AMQP: () => around(password(), (secret) => `amqps://shop:${secret}@queue.firm.de/vhost`),
  SMTP: () => around(password(), (secret) => `smtps://apikey:${secret}@smtp.firm.de:465`),
  NATS: () => around(password(), (secret) => `nats://shop:${secret}@nats.firm.de:4222`),
  LDAP: () => around(password(), (secret) => `URI ldaps://ldap.firm.de\nBINDDN cn=admin,dc=firm\nBINDPW ${secret}\n`),
  'SQL Server': () =>
    around(password(), (secret) => `Server=tcp:shop.database.windows.net,1433;Database=shop;User ID=ann;Password=${secret};Encrypt=True;`),
  ODBC: () => around(password(), (secret) => `Driver={ODBC Driver 18 for SQL Server};Server=db;UID=sa;PWD=${secret};`),
  'JDBC with parameters': () => around(password(), (secret) => `jdbc:postgresql://db.firm.de/orders?user=shop&password=${secret}`),
  'JDBC of SQL Server': () =>
    around(password(), (secret) => `jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=${secret};encrypt=true`),
  'JDBC of Oracle': () => around(password(), (secret) => `jdbc:oracle:thin:shop/${secret}@//db.firm.de:1521/ORCL`),
  'storage of Azure': () =>
    around(bytes(64), (secret) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net`),
  'service bus of Azure': () =>
    around(bytes(32), (secret) => `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}`),
  'Cosmos DB': () => around(bytes(64), (secret) => `AccountEndpoint=https://shop.documents.azure.com:443/;AccountKey=${secret};`),
  'IoT hub': () => around(bytes(32), (secret) => `HostName=shop.azure-devices.net;DeviceId=a1;SharedAccessKey=${secret}`),
  Cloudinary: () => around(password(27), (secret) => `CLOUDINARY_URL=cloudinary://129384756123456:${secret}@shop`),
  Snowflake: () => around(password(), (secret) => `snowflake://shop:${secret}@xy12345.eu-central-1/orders?warehouse=wh`),
  Elasticsearch: () => around(password(), (secret) => `https://elastic:${secret}@search.firm.de:9243`),
  ClickHouse: () => around(password(), (secret) => `http://clickhouse:8123/?user=default&password=${secret}`),
  FTP: () => around(password(), (secret) => `ftp://ann:${secret}@files.firm.de/in`),
  RTSP: () => around(password(), (secret) => `rtsp://admin:${secret}@10.0.0.7:554/stream1`),
  'git over HTTPS': () => around(token(40), (secret) => `https://x-access-token:${secret}@git.firm.de/shop/api.git`),
  'git with a token alone': () => around(token(40), (secret) => `https://${secret}@git.firm.de/shop/api.git`),
  Sentry: () => around(hex(32), (secret) => `https://${secret}@o447951.ingest.sentry.io/5429215`),
  SQLAlchemy: () => around(password(), (secret) => `mssql+pyodbc://sa:${secret}@db/shop?driver=ODBC+Driver+18`),
  proxy: () => around(password(), (secret) => `HTTPS_PROXY=http://ann:${secret}@proxy.firm.de:3128`),
}

const commands: Readonly<Record<string, Make>> = {
  'curl, bearer token': () => around(token(), (secret) => `curl -sS -H "Authorization: Bearer ${secret}" https://api.firm.de/v1/me`),
  'curl, basic credentials': () =>
    around(base64(`ann:${password()}`), (secret) => `curl -H 'Authorization: Basic ${secret}' https://api.firm.de`),
  'curl, another scheme': () => around(token(), (secret) => `curl --header "Authorization: Token token=${secret}" https://api.firm.de`),
  'curl, a bare credential': () => around(token(), (secret) => `curl -H "Authorization: ${secret}" https://api.firm.de`),
  'curl, key in a header': () => around(token(32), (secret) => `curl -H 'X-API-Key: ${secret}' https://api.firm.de`),
  'curl, user': () => around(password(), (secret) => `curl -u ann:${secret} https://api.firm.de`),
  'curl, cookie': () => around(token(32), (secret) => `curl -b "session=${secret}" https://shop.firm.de/cart`),
  'curl, cookie in a header': () => around(token(32), (secret) => `curl https://shop.firm.de -H 'Cookie: sid=${secret}; theme=dark'`),
  'curl, OAuth': () => around(token(), (secret) => `curl --oauth2-bearer ${secret} https://api.firm.de`),
  'curl, form': () =>
    around(password(), (secret) => `curl -d 'grant_type=password&username=ann&password=${secret}' https://id.firm.de/token`),
  'curl, JSON': () => around(password(), (secret) => `curl -d '{"username":"ann","password":"${secret}"}' https://id.firm.de/login`),
  'curl, password of a certificate': () =>
    around(password(), (secret) => `curl --cert client.p12:${secret} --cert-type P12 https://api.firm.de`),
  wget: () => around(password(), (secret) => `wget --user=ann --password=${secret} https://files.firm.de/a.zip`),
  httpie: () => around(password(), (secret) => `http -a ann:${secret} GET https://api.firm.de/me`),
  'mysql -p': () => around(password(), (secret) => `mysql -h db.firm.de -u shop -p${secret} orders`),
  'mysqldump --password': () => around(password(), (secret) => `mysqldump -u shop --password=${secret} orders > orders.sql`),
  'psql with PGPASSWORD': () => around(password(), (secret) => `PGPASSWORD=${secret} psql -h db.firm.de -U shop orders`),
  'redis-cli -a': () => around(password(), (secret) => `redis-cli -h cache.firm.de -a ${secret} --tls PING`),
  'mongosh -p': () => around(password(), (secret) => `mongosh "mongodb://db.firm.de" -u shop -p ${secret}`),
  sshpass: () => around(password(), (secret) => `sshpass -p '${secret}' ssh ann@host`),
  'docker login -p': () => around(password(), (secret) => `docker login -u ann -p ${secret} registry.firm.de`),
  'docker run -e': () => around(password(), (secret) => `docker run -e POSTGRES_PASSWORD=${secret} -d postgres:17`),
  'openssl -passin': () => around(password(), (secret) => `openssl rsa -in key.pem -passin pass:${secret} -out plain.pem`),
  'keytool -storepass': () => around(password(), (secret) => `keytool -list -keystore shop.jks -storepass ${secret}`),
  'kubectl create secret': () => around(password(), (secret) => `kubectl create secret generic db --from-literal=password=${secret}`),
  'helm --set': () => around(password(), (secret) => `helm upgrade shop ./chart --set db.password=${secret},replicas=2`),
  'az login': () => around(token(34), (secret) => `az login --service-principal -u 1111 -p ${secret} --tenant firm.de`),
  'aws configure set': () => around(token(40), (secret) => `aws configure set aws_secret_access_key ${secret}`),
  'npm config set': () => around(token(36), (secret) => `npm config set //npm.firm.de/:_authToken ${secret}`),
  'gh secret set': () => around(token(36), (secret) => `gh secret set DEPLOY_TOKEN --body "${secret}"`),
  'smbclient -U': () => around(password(), (secret) => `smbclient //files/share -U ann%${secret}`),
  'net use': () => around(password(), (secret) => `net use Z: \\\\files\\share ${secret} /user:ann`),
  'ldapsearch -w': () => around(password(), (secret) => `ldapsearch -D cn=admin,dc=firm -w ${secret} -b dc=firm`),
  'echo to docker login': () => around(token(), (secret) => `echo ${secret} | docker login ghcr.io -u ann --password-stdin`),
}

const har = (request: object): string =>
  json({ log: { version: '1.2', entries: [{ request: { method: 'POST', url: 'https://shop.firm.de', ...request } }] } })

const traffic: Readonly<Record<string, Make>> = {
  'cookie in a HAR': () => around(token(32), (value) => har({ cookies: [{ name: 'connect.sid', value, path: '/', httpOnly: true }] })),
  'cookie header in a HAR': () => around(token(32), (secret) => har({ headers: [{ name: 'Cookie', value: `sid=${secret}; theme=dark` }] })),
  'cookie that is set in a HAR': () =>
    around(token(32), (secret) => har({ headers: [{ name: 'set-cookie', value: `sid=${secret}; Path=/; HttpOnly` }] })),
  'authorization in a HAR': () => around(token(), (secret) => har({ headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] })),
  'key in a HAR': () => around(token(32), (value) => har({ headers: [{ name: 'X-Api-Key', value }] })),
  'form in a HAR': () =>
    around(password(), (value) =>
      har({ postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'password', value }] } }),
    ),
  'token in the query of a HAR': () => around(token(), (value) => har({ queryString: [{ name: 'access_token', value }] })),
  'cookies.txt': () =>
    around(token(32), (secret) => `# Netscape HTTP Cookie File\n.firm.de\tTRUE\t/\tTRUE\t1796000000\tsession\t${secret}\n`),
  'state of Playwright': () =>
    around(token(32), (value) =>
      json({
        cookies: [{ name: 'sid', value, domain: 'shop.firm.de', path: '/', expires: -1, httpOnly: true, secure: true, sameSite: 'Lax' }],
        origins: [],
      }),
    ),
  'storage of Playwright': () =>
    around(token(), (value) =>
      json({ cookies: [], origins: [{ origin: 'https://shop.firm.de', localStorage: [{ name: 'access_token', value }] }] }),
    ),
  'Set-Cookie': () => around(token(32), (secret) => `HTTP/1.1 200 OK\nSet-Cookie: sid=${secret}; HttpOnly; Secure\nContent-Length: 0\n`),
  'Proxy-Authorization': () =>
    around(base64(`ann:${password()}`), (secret) => `CONNECT a:443 HTTP/1.1\nProxy-Authorization: Basic ${secret}\n`),
  'X-Vault-Token': () => around(token(26), (secret) => `GET /v1/secret HTTP/1.1\nX-Vault-Token: ${secret}\n`),
  'X-Amz-Security-Token': () => around(token(200), (secret) => `GET / HTTP/1.1\nX-Amz-Security-Token: ${secret}\n`),
  'X-Registry-Auth': () =>
    around(base64(json({ username: 'ann', password: password() })), (secret) => `POST /images HTTP/1.1\nX-Registry-Auth: ${secret}\n`),
  'signature of AWS': () =>
    around(
      hex(64),
      (secret) =>
        `Authorization: AWS4-HMAC-SHA256 Credential=AKIAQ7XJ4M2N6P8R3T5V/20261130/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=${secret}\n`,
    ),
  'answer of digest authentication': () =>
    around(hex(32), (secret) => `Authorization: Digest username="ann", realm="shop", nonce="${hex(16)}", uri="/", response="${secret}"\n`),
  'grant of OAuth': () => around(token(), (secret) => `grant_type=refresh_token&client_id=shop&refresh_token=${secret}`),
  'client secret in a form': () => around(token(), (secret) => `grant_type=client_credentials&client_id=shop&client_secret=${secret}`),
  'assertion of OAuth': () =>
    around(`eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJzaG9wIn0.${bytes(256, 'base64url')}`, (secret) => `grant_type=jwt-bearer&assertion=${secret}`),
  'address that resets a password': () => around(token(43), (secret) => `Open https://shop.firm.de/reset?token=${secret} within an hour.`),
  'address that logs in': () => around(token(43), (secret) => `https://shop.firm.de/magic?login_token=${secret}`),
  'token of CSRF': () => around(token(40), (secret) => `<input type="hidden" name="csrf_token" value="${secret}">`),
  'password in a form of HTML': () => around(password(), (secret) => `<input type="password" name="password" value="${secret}">`),
  'log of an application': () =>
    around(password(), (secret) => `2026-11-30T06:00:00Z INFO login failed user=ann password=${secret} ip=10.0.0.1`),
  'log in JSON': () => around(token(), (secret) => `{"level":"debug","msg":"refreshed","refresh_token":"${secret}"}`),
}

const people: Readonly<Record<string, Make>> = {
  'address with a quoted name': () => around('"ann lee"@firm.de', (secret) => `Write to ${secret}, please.`),
  'address with a quoted name and signs': () => around('"ann..lee@home"@firm.de', (secret) => `To: ${secret}\n`),
  'Swiss number with 00': () => around('0041 44 668 18 00', (secret) => `Call ${secret} today.`),
  'German number with 00': () => around('0049 171 2345678', (secret) => `Tel. ${secret}`),
  'British number with 00': () => around('00442079460958', (secret) => `phone: ${secret}`),
  'American number with 011': () => around('011 44 20 7946 0958', (secret) => `Dial ${secret}.`),
  'German number at home': () => around('0171 2345678', (secret) => `Mobil: ${secret}`),
  'German number at home, with a slash': () => around('030/23125 487', (secret) => `Tel.: ${secret}`),
  'British number at home': () => around('07700 900123', (secret) => `Ring me on ${secret} after six.`),
  'British landline at home': () => around('020 7946 0958', (secret) => `Office: ${secret}`),
  'Swiss number at home': () => around('044 668 18 00', (secret) => `Telefon ${secret}`),
  'Swiss mobile at home': () => around('079 123 45 67', (secret) => `Natel ${secret}`),
  'French number at home': () => around('06 12 34 56 78', (secret) => `Appelez le ${secret}.`),
  'Austrian number at home': () => around('0664 1234567', (secret) => `Handy ${secret}`),
  'Spanish number at home': () => around('612 34 56 78', (secret) => `Llame al ${secret}`),
  'Italian number at home': () => around('347 123 4567', (secret) => `Cell. ${secret}`),
  'Dutch number at home': () => around('06-12345678', (secret) => `Bel ${secret}`),
  'Australian number at home': () => around('0412 345 678', (secret) => `Call ${secret}`),
  'Japanese number at home': () => around('090-1234-5678', (secret) => `電話 ${secret}`),
  'Indian number at home': () => around('098765 43210', (secret) => `Call ${secret}`),
}

/** Some two hundred kinds of containers, written from the formats' own documentation. */
export const containerKinds: readonly (ContainerSample & { readonly kind: string })[] = Object.entries({
  ...jsonWebKeys,
  ...keyFiles,
  ...settings,
  ...connections,
  ...commands,
  ...traffic,
  ...people,
}).map(([kind, make]) => ({ kind, ...make() }))

/** Countries whose numbers people write as at home. */
export const countries: readonly string[] = ['DE', 'GB', 'CH', 'FR', 'AT', 'ES', 'IT', 'NL', 'AU', 'JP', 'IN']
