import { createHash } from 'node:crypto'
import { refusal } from '#features/header-files/problems.ts'
import type { FileKind } from '#features/header-files/rules.ts'
import { headerTooLarge, maxHeaderBytes } from '#features/templates/limits.ts'
import { getPublic, NoFile, targetRules } from '#lib/server/http/public-request.ts'

/** Milliseconds in which a file must arrive. */
const TIMEOUT_MS = 20_000

/** Returns the key by which a file is found by its address. `keyOf` of the match computes it from a value. */
export function addressKeyOf(address: string): string {
	return `https:${createHash('sha256').update(address).digest('hex')}`
}

interface WantedFile {
	address: string
	kind: FileKind
	signal: AbortSignal
}

/**
 * Fetches a file of at most the size of its kind from an address of the internet. The caller checks its content. Throws a 400
 * with the reason when there is no file.
 */
export async function fetchFile(
	env: Parameters<typeof targetRules>[0],
	{ address, kind, signal }: WantedFile,
): Promise<{ name: string; content: Buffer }> {
	const rules = { ...targetRules(env), maxBytes: maxHeaderBytes(kind), timeoutMs: TIMEOUT_MS, signal }
	try {
		const { url, content, disposition } = await getPublic({ url: address, ...rules })
		return { name: nameOf(url, disposition), content }
	} catch (error) {
		signal.throwIfAborted()
		throw refusal(reasonOf(error, kind))
	}
}

function reasonOf(error: unknown, kind: FileKind): string {
	// The reason is the same for every address without an answer, so that it reveals nothing about hosts of the private
	// network.
	if (!(error instanceof NoFile))
		return 'No file came from this address within 20 seconds. It must be an https address that everyone on the internet can open'
	if (error.reason === 'size') return headerTooLarge(kind)
	if (error.reason === 'redirects') return 'This address leads to other addresses too often'
	return `The server of this address answered with the error ${error.message}. Check that everyone can open it without signing in`
}

/** Returns the name of a fetched file: that of its header, or the end of its address. */
function nameOf(url: string, disposition: string | null): string {
	const [, encoded] = /filename\*=UTF-8''([^;\s]{1,600})/i.exec(disposition ?? '') ?? []
	const [, plain] = /filename="([^"]{1,300})"/i.exec(disposition ?? '') ?? []
	const last = new URL(url).pathname.split('/').at(-1) ?? ''
	return (encoded ? decoded(encoded) : plain) || decoded(last) || 'document'
}

function decoded(text: string): string {
	try {
		return decodeURIComponent(text)
	} catch {
		return text
	}
}
