import { isIP } from 'node:net'

/** Whether a host or address is this machine itself. */
export function isLoopback(host: string): boolean {
	const plain = host.replace(/^\[/, '').replace(/\]$/, '')
	return plain === 'localhost' || plain === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(plain)
}

/**
 * The network that an address is counted under: of IPv6 the first 64 bits, as every subscriber has so many addresses of one
 * network that none would ever be counted twice.
 */
export function networkOf(address: string): string {
	if (isIP(address) !== 6) return address
	const ipv4 = /:((?:\d{1,3}\.){3}\d{1,3})$/.exec(address)?.[1]
	if (ipv4) return ipv4
	const [start = '', end = ''] = address.split('::')
	const [first, last] = [start, end].map((part) => part.split(':').filter(Boolean)) as [string[], string[]]
	const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0')
	const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
	return `${groups.join(':')}::/64`
}
