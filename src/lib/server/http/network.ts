import { isIP } from 'node:net'

/** Returns true for a host or address of this machine. */
export function isLoopback(host: string): boolean {
	const plain = host.replace(/^\[/, '').replace(/\]$/, '')
	return plain === 'localhost' || plain === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(plain)
}

/**
 * Returns the network under which an address is counted: an IPv4 address itself, the first 64 bits of an IPv6 address. An IPv6
 * subscriber has so many addresses that none of them would be counted twice.
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
