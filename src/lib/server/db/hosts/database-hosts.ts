import { Client, type ClientConfig } from 'pg'

/** Scheme, user and password, hosts, path, query. Several hosts do not fit a standard URL. */
const PARTS = /^(postgres(?:ql)?:\/\/)([^@/?#]*@)?([^@/?#]+)(\/[^?#]*)?(?:\?([^#]*))?$/
const MAX_HOSTS = 8
const ATTRIBUTES = 'target_session_attrs'
/** Values of target_session_attrs that are accepted: the product always needs a writable server. */
const WRITABLE = ['read-write', 'primary']
const PROBE_TIMEOUT_MS = 3000

/**
 * Splits `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write` into one address per host,
 * in order of preference. Throws for an invalid address, with a message without its password.
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

/** Returns an address's host and port, without user and password. */
function hostOf(address: string): string {
	return new URL(address).host
}

/** Throws when the server is read-only, such as a standby. */
export async function refuseReadOnly(client: Pick<Client, 'query'>): Promise<void> {
	const { rows } = await client.query<{ isReadOnly: boolean }>(
		`select pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`,
	)
	if (rows[0]?.isReadOnly !== false) throw new Error('it takes no writes (a standby, or set to read-only)')
}

/**
 * Returns the first address whose server answers and accepts writes. Throws with the reason of each server when none
 * does. A single address is returned without a check.
 */
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

/** Returns the reason why this server cannot be used for writes; null when it can. */
async function probe(config: ClientConfig): Promise<string | null> {
	const client = new Client({ ...config, query_timeout: PROBE_TIMEOUT_MS })
	// Without a listener, a lost connection would end the process.
	client.on('error', () => {})
	try {
		await client.connect()
		await refuseReadOnly(client)
		return null
	} catch (error) {
		return error instanceof Error ? error.message || String(error) : String(error)
	} finally {
		// A dead server never confirms the end, so nothing waits for it.
		void client.end().catch(() => {})
	}
}
