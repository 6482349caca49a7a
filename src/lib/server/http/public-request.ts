import { lookup } from 'node:dns'
import * as http from 'node:http'
import * as https from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses of the internet: all others of version 6, such as those with one of version 4 in them, are none. */
const GLOBAL_6 = new BlockList()
GLOBAL_6.addSubnet('2000::', 3, 'ipv6')

/** Networks of their own purpose, by IANA's registries: private, local, shared, for examples, tunnels and groups. */
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

/** Whether an IP address is one of the internet, so that asking it reaches nothing inside the installation's own network. */
export function isPublicAddress(address: string): boolean {
	if (isIP(address) === 4) return !SPECIAL.check(address, 'ipv4')
	return isIP(address) === 6 && GLOBAL_6.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6')
}

/** What was to be asked lies inside a private network. */
export class NotPublic extends Error {}

/** Gives the connection the public addresses of a name alone, so that none can change between a check and the connection. */
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

/**
 * Whether a URL may be asked: https, and no address within a private network. A name is checked when it is looked up; an address
 * never is, and so it is here. `isAnywhere` is true to reach private networks as well, and by http, as tests do.
 */
export function isPublicUrl(url: string, { isAnywhere }: { isAnywhere: boolean }): boolean {
	if (!URL.canParse(url)) return false
	const { hostname, protocol } = new URL(url)
	if (isAnywhere) return ['http:', 'https:'].includes(protocol)
	const host = hostname.replace(/^\[|\]$/g, '')
	return protocol === 'https:' && (isIP(host) === 0 || isPublicAddress(host))
}

export interface PublicPost {
	/** An https: address that somebody else chose. */
	url: string
	headers: Record<string, string>
	body: Buffer
	timeoutMs: number
	/** As `isPublicUrl` has it. */
	isAnywhere: boolean
	/** Ends the request, which then rejects. */
	signal?: AbortSignal
}

/**
 * Sends a POST and resolves with the status of the answer, of which nothing more is read. Follows no redirect. Rejects with
 * NotPublic, before a connection, for an address within a private network however it is written.
 */
export function postPublic({ url, headers, body, timeoutMs, isAnywhere, signal }: PublicPost): Promise<number> {
	if (!isPublicUrl(url, { isAnywhere })) return Promise.reject(new NotPublic(`${url} is no public https: address`))
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
