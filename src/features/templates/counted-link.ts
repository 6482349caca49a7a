import type { Component } from './contract.ts'

type Button = NonNullable<Component['buttons']>[number]

/** Path of counted links. Meta knows the button by this address of ours, to which each message appends its token. */
export const COUNTED_PATH = '/l/'

/** First byte of the token in a button's example, before the target and the signature. */
export const TARGET_VERSION = 0x20
export const SIGNATURE_BYTES = 8

/** Maximum length of a target, which must fit into an address as part of the example's token. */
export const MAX_COUNTED_URL_LENGTH = 700

/**
 * Returns the target of a counted link in ASCII, as sent over the network. Null unless it is an https address without a
 * user name, which could disguise where a link leads.
 */
export function plainTarget(url: string): string | null {
	const target = URL.parse(url.trim())
	const isPlain = target?.protocol === 'https:' && target.username === '' && target.password === ''
	return isPlain ? target.href : null
}

/**
 * Returns the target of a counted button; null for any other button. The target is read from the example that Meta
 * reviewed, so it is known even for copies of a template.
 */
export function countedTarget({ type, url = '', example }: Button): string | null {
	if (type !== 'URL' || !url.endsWith(`${COUNTED_PATH}{{1}}`)) return null
	const [reviewed = ''] = [example].flat().map(String)
	return targetIn(reviewed.split(COUNTED_PATH).at(-1) ?? '')
}

export function hasCountedLink(components: readonly Component[]): boolean {
	return components.some(({ buttons = [] }) => buttons.some((button) => countedTarget(button) !== null))
}

/**
 * Returns the target in an example's token without verifying the signature. A caller that redirects visitors must
 * verify it.
 */
export function targetIn(token: string): string | null {
	// No valid base64 has a length of a multiple of four plus one.
	if (!/^[\w-]{16,1000}$/.test(token) || token.length % 4 === 1) return null
	const bytes = atob(token.replaceAll('-', '+').replaceAll('_', '/'))
	const target = bytes.slice(1, -SIGNATURE_BYTES)
	return bytes.charCodeAt(0) === TARGET_VERSION && plainTarget(target) === target ? target : null
}
