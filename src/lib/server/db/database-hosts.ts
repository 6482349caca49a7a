import { Client, type ClientConfig } from 'pg'

/** scheme, user and password, hosts, path, query. The hosts are what a URL of the standard cannot hold. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/
const MAX_HOSTS = 8
const ATTRIBUTES = 'target_session_attrs'
/** We write, so these say what holds anyway. */
const WRITABLE = ['read-write', 'primary']
const PROBE_TIMEOUT_MS = 3000

/**
 * The addresses of a database, in the order in which they are tried: one for each host of
 * `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write`. Throws where it is none, without its
 * password in the message.
 */
export function addressesOf(url: string): string[] {
	const [, scheme = '', login = '', hosts = '', path = '', query = ''] = PARTS.exec(url) ?? []
	const parameters = new URLSearchParams(query)
	const wanted = parameters.get(ATTRIBUTES)
	if (wanted !== null && !WRITABLE.includes(wanted))
		throw new Error(`${ATTRIBUTES} must be read-write: the product writes to its database`)
	parameters.delete(ATTRIBUTES)
	const rest = path + (parameters.size > 0 ? `?${parameters.toString()}` : '')
	const addresses = hosts.split(',').map((host) => `${scheme}${login}${host}${rest}`)
	if (scheme === '' || addresses.length > MAX_HOSTS || !addresses.every((address) => URL.canParse(address)))
		throw new Error(
			`must be a PostgreSQL address such as postgres://user:password@host:5432/name, with up to ${MAX_HOSTS} hosts between commas`,
		)
	return addresses
}

/** Says what stands behind an address, without user and password. */
function hostOf(address: string): string {
	return new URL(address).host
}

/** Throws on a connection to a server that takes no writes, as a standby does. */
export async function refuseReadOnly(client: Pick<Client, 'query'>): Promise<void> {
	const { rows } = await client.query<{ isReadOnly: boolean }>(
		`select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`,
	)
	if (rows[0]?.isReadOnly !== false) throw new Error('it takes no writes (a standby, or set to read-only)')
}

/** The first of several addresses whose server answers and takes writes. A single one is not asked. */
export async function findWritable(
	addresses: readonly string[],
	configure: (address: string) => ClientConfig,
): Promise<string> {
	const [only = '', ...others] = addresses
	if (others.length === 0) return only
	const reasons: string[] = []
	for (const address of addresses) {
		const reason = await probe({ ...configure(address), connectionTimeoutMillis: PROBE_TIMEOUT_MS })
		if (reason === null) return address
		reasons.push(`${hostOf(address)}: ${reason}`)
	}
	throw new Error(`No server of the database takes writes. ${reasons.join('; ')}`)
}

/** Why this server is not the one to write to; null when it is. */
async function probe(config: ClientConfig): Promise<string | null> {
	const client = new Client({ ...config, query_timeout: PROBE_TIMEOUT_MS })
	// Without a listener a lost connection would end the process.
	client.on('error', () => {})
	try {
		await client.connect()
		await refuseReadOnly(client)
		return null
	} catch (error) {
		return error instanceof Error ? error.message || String(error) : String(error)
	} finally {
		// Not waited for: a server that is gone does not say goodbye.
		void client.end().catch(() => {})
	}
}
