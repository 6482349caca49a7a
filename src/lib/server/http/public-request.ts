import { lookup } from 'node:dns'
import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { readUpTo } from '../files/read-up-to.ts'

/** Public addresses of IPv6. Other IPv6 addresses, such as those that embed an IPv4 address, are refused. */
const GLOBAL_6 = new BlockList()
GLOBAL_6.addSubnet('2000::', 3, 'ipv6')

/** Special-purpose networks by IANA's registries: private, local, shared, documentation, tunnels and multicast. */
const SPECIAL = new BlockList()
for (const network of [
	'0.0.0.0/8',
	'10.0.0.0/8',
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	'192.0.2.0/24',
	'192.88.99.0/24',
	'192.168.0.0/16',
	'198.18.0.0/15',
	'198.51.100.0/24',
	'203.0.113.0/24',
	'224.0.0.0/3',
	'2001::/23',
	'2001:db8::/32',
	'2002::/16',
	'3fff::/20',
]) {
	const [address = '', bits] = network.split('/')
	SPECIAL.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Returns true for an IP address of the internet that does not belong to this machine. */
export function isPublicAddress(address: string): boolean {
	if (isOfThisMachine(address)) return false
	if (isIP(address) === 4) return !SPECIAL.check(address, 'ipv4')
	return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

function isOfThisMachine(address: string): boolean {
	return Object.values(networkInterfaces()).some((all) => all?.some((own) => own.address === address))
}

/** Error for a URL inside a private network or of this installation, or with a port that is refused. */
export class NotPublic extends Error {}

/** Resolves a name to its public addresses only, so that the checked address is the one the connection uses. */
const lookupPublic: LookupFunction = (name, options, done) => {
	lookup(name, { ...options, all: true }, (error, found) => {
		const open = error ? [] : found.filter(({ address }) => isPublicAddress(address))
		const [first] = open
		if (error) done(error, '', 0)
		else if (!first) done(new NotPublic(`${name} has no public address`), '', 0)
		else if (options.all) done(null, open)
		else done(null, first.address, first.family)
	})
}

export interface TargetRules {
	/** True to allow private networks, http and every port, as tests need. */
	isAnywhere: boolean
	/** URLs of this installation, which are refused. */
	own?: readonly string[]
}

/** Returns the installation's rules for URLs that its users choose. */
export function targetRules(env: {
	ALLOW_PRIVATE_TARGETS: boolean
	PUBLIC_URL: string
	LINK_URL?: string | undefined
}): Required<TargetRules> {
	return { isAnywhere: env.ALLOW_PRIVATE_TARGETS, own: [env.PUBLIC_URL, ...(env.LINK_URL ? [env.LINK_URL] : [])] }
}

/** Lowest allowed port besides 443. Ports below belong to system services such as mail and SSH. */
const FIRST_FREE_PORT = 1024

/**
 * Returns true for a URL that may be called: https, port 443 or above 1023, not of this installation, and no IP address of a
 * private network. A host name is checked when it is resolved.
 */
export function isPublicUrl(url: string, { isAnywhere, own = [] }: TargetRules): boolean {
	if (!URL.canParse(url)) return false
	const { protocol, port } = new URL(url)
	const host = hostOf(url)
	if (own.some((each) => hostOf(each) === host && (!isAnywhere || new URL(each).port === port))) return false
	if (isAnywhere) return ['http:', 'https:'].includes(protocol)
	const isOpenPort = port === '' || Number(port) >= FIRST_FREE_PORT
	return protocol === 'https:' && isOpenPort && (isIP(host) === 0 || isPublicAddress(host))
}

/** Returns the host without brackets and without a final dot. */
function hostOf(url: string): string {
	return new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

export interface PublicPost extends TargetRules {
	/** An https: address that a user chose. */
	url: string
	headers: Record<string, string>
	body: Buffer
	timeoutMs: number
	/** Aborts the request, which then rejects. */
	signal?: AbortSignal
}

/**
 * Sends a POST without following redirects, and resolves with the status of the answer. Rejects with NotPublic before
 * connecting when the address, in any notation, belongs to a private network.
 */
export function postPublic({
	url,
	headers,
	body,
	timeoutMs,
	isAnywhere,
	own = [],
	signal,
}: PublicPost): Promise<number> {
	if (!isPublicUrl(url, { isAnywhere, own })) return Promise.reject(new NotPublic(`${url} is no public https: address`))
	const { request } = url.startsWith('https:') ? https : http
	const timeout = AbortSignal.timeout(timeoutMs)
	return new Promise((resolve, reject) => {
		const outgoing = request(
			url,
			{
				method: 'POST',
				headers: { ...headers, 'content-length': String(body.length) },
				agent: false,
				signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
				lookup: isAnywhere ? undefined : lookupPublic,
			},
			(response) => {
				resolve(response.statusCode ?? 0)
				response.destroy()
			},
		)
		outgoing.on('error', reject).end(body)
	})
}

export interface PublicGet extends TargetRules {
	/** An https: address that a user chose. */
	url: string
	/** Maximum size of the body in bytes. */
	maxBytes: number
	/** Milliseconds for all redirects and the whole body. */
	timeoutMs: number
	/** Aborts the request, which then rejects. */
	signal?: AbortSignal
}

export interface PublicFile {
	content: Buffer
	/** The address after redirects. */
	url: string
	/** The header Content-Disposition; null without one. */
	disposition: string | null
}

/** Error for an answer that is no file: another status than 200, a body over the limit, or too many redirects. */
export class NoFile extends Error {
	readonly reason: 'status' | 'size' | 'redirects'

	constructor(reason: NoFile['reason'], message: string) {
		super(message)
		this.reason = reason
	}
}

/** Maximum number of redirects that are followed. The address of each is checked like the first one. */
const MAX_REDIRECTS = 3

/**
 * Fetches a file. Rejects with NotPublic before connecting when the address, or one that a redirect leads to, belongs to a
 * private network, and with NoFile for an answer that is no file.
 */
export async function getPublic({ timeoutMs, signal, ...asked }: PublicGet): Promise<PublicFile> {
	const timeout = AbortSignal.timeout(timeoutMs)
	const ends = signal ? AbortSignal.any([signal, timeout]) : timeout
	let { url } = asked
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const answer = await getOnce({ ...asked, url, signal: ends })
		if ('content' in answer) return answer
		url = answer.next
	}
	throw new NoFile('redirects', `more than ${MAX_REDIRECTS} redirects`)
}

/** Requests an address. Returns the file, or the address of a redirect. */
async function getOnce(asked: Omit<PublicGet, 'timeoutMs'>): Promise<PublicFile | { next: string }> {
	const { url, maxBytes, isAnywhere, own = [], signal } = asked
	if (!isPublicUrl(url, { isAnywhere, own })) throw new NotPublic(`${url} is no public https: address`)
	const { request } = url.startsWith('https:') ? https : http
	const headers = { accept: '*/*', 'accept-encoding': 'identity' }
	const outgoing = request(url, { headers, agent: false, signal, lookup: isAnywhere ? undefined : lookupPublic }).end()
	const [response] = (await once(outgoing, 'response')) as [http.IncomingMessage]
	// `readUpTo` rejects on an error after the answer. These listeners keep an error before or after the reading from ending
	// the process.
	outgoing.on('error', () => {})
	response.on('error', () => {})
	try {
		const { statusCode = 0, headers: given } = response
		if (statusCode >= 300 && statusCode < 400 && given.location && URL.canParse(given.location, url))
			return { next: new URL(given.location, url).href }
		if (statusCode !== 200) throw new NoFile('status', String(statusCode))
		if (Number(given['content-length'] ?? 0) > maxBytes) throw new NoFile('size', 'the file is too large')
		const content = await readUpTo(response, maxBytes)
		if (!content) throw new NoFile('size', 'the file is too large')
		return { url, content, disposition: given['content-disposition'] ?? null }
	} finally {
		response.destroy()
	}
}
