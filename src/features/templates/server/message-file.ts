/** The tag of the value that names a message's own header file. No column and no field can have this name. */
export const FILE_TAG = '{file}'

/** A header file that Meta has; without a name it is sent as `document.pdf`. */
export interface MessageFile {
	mediaId: string
	name: string | null
}

/**
 * Reads the value of `FILE_TAG`: the id of the file, and after its upload Meta's id and the file's name, as `12 990011
 * report.pdf`. Throws before the upload.
 */
export function readMessageFile(value: string): MessageFile {
	const [, mediaId, name] = /^\d+ (\S+) (.+)$/.exec(value) ?? []
	if (mediaId === undefined || name === undefined) throw new Error('the file of a message is not uploaded')
	return { mediaId, name }
}
