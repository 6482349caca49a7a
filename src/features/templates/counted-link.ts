import type { Component } from './contract.ts'

type Button = NonNullable<Component['buttons']>[number]

/** What Meta knows of a button whose clicks are counted: the address of our own that each message ends with its token. */
export const COUNTED_PATH = '/l/'

/** What the token of a button's example begins with; then its target and a signature follow. */
export const TARGET_VERSION = 0x20
export const SIGNATURE_BYTES = 8

/** The example's token, which holds the target, must fit into an address. */
export const MAX_COUNTED_URL_LENGTH = 700

/**
 * Returns the target of a counted link in the form that a token holds: ASCII, as it goes over the network. Null for anything but an
 * https address without a user name: a name before the host disguises where a link leads.
 */
export function plainTarget(url: string): string | null {
	const target = URL.parse(url.trim())
	const isPlain = target?.protocol === 'https:' && target.username === '' && target.password === ''
	return isPlain ? target.href : null
}

/**
 * Where a button leads whose clicks are counted; null for every other one. The target stands in the example that Meta reviewed,
 * so that whoever has the template has it, also a copy of it from before.
 */
export function countedTarget({ type, url = '', example }: Button): string | null {
	if (type !== 'URL' || !url.endsWith(`${COUNTED_PATH}{{1}}`)) return null
	const [reviewed = ''] = [example].flat().map(String)
	return targetIn(reviewed.split(COUNTED_PATH).at(-1) ?? '')
}

export function hasCountedLink(components: readonly Component[]): boolean {
	return components.some(({ buttons = [] }) => buttons.some((button) => countedTarget(button) !== null))
}

/** The target that an example's token names; whoever lets strangers follow it checks the signature. */
export function targetIn(token: string): string | null {
	// No text is as long in base64 as a multiple of four and one more.
	if (!/^[\w-]{16,1000}$/.test(token) || token.length % 4 === 1) return null
	const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
	const target = bytes.slice(1, -SIGNATURE_BYTES)
	return bytes.charCodeAt(0) === TARGET_VERSION && plainTarget(target) === target ? target : null
}
