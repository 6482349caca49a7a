import { ATTACHMENT_TYPES, maxBytesOf, tooLarge, TYPE_REFUSED } from '#features/replies/rules.ts'
import { registeredType } from '#lib/files/media-types.ts'

/** The value of a file input's `accept`. Browsers know some types by their extension only. */
export const ACCEPTED = [...ATTACHMENT_TYPES, '.jpg', '.jpeg', '.png', '.mp4', '.3gp', '.pdf'].join(',')

const TYPES_BY_ENDING: Record<string, string> = {
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	png: 'image/png',
	mp4: 'video/mp4',
	'3gp': 'video/3gpp',
	pdf: 'application/pdf',
}

/** Returns the reason why a file cannot be sent; null when it can. */
export function attachmentError(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
	const type = attachmentType(file)
	if (!type) return TYPE_REFUSED
	const maxBytes = maxBytesOf(type)
	return file.size > maxBytes ? tooLarge(maxBytes) : null
}

/**
 * Returns the file's MIME type, by its extension when the system does not know it, as for 3GP on many systems; null for a type
 * that is not accepted.
 */
export function attachmentType({ name, type }: Pick<File, 'name' | 'type'>): string | null {
	const ending = name.split('.').at(-1)?.toLowerCase() ?? ''
	const said = type === '' ? (TYPES_BY_ENDING[ending] ?? '') : registeredType(type)
	return ATTACHMENT_TYPES.find((allowed) => allowed === said) ?? null
}

/** Returns an accepted file with the type of `attachmentType`. */
export function withType(file: File): File {
	return new File([file], file.name, { type: attachmentType(file) ?? file.type })
}
