import { invalidParam } from './errors.ts'

export interface FormFile {
	field: string
	name: string | null
	/** Null for a part without a content type. */
	type: string | null
	bytes: Buffer
}

export interface Form {
	fields: Record<string, string>
	files: FormFile[]
}

const GAP = Buffer.from('\r\n\r\n')

/** Parses a multipart/form-data body. Throws Graph's error for a content type without a boundary. */
export function formOf(body: Buffer, contentType: string): Form {
	const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
	const name = boundary?.[1] ?? boundary?.[2]
	if (!name) throw invalidParam('Invalid parameter: multipart body without a boundary.')
	const form: Form = { fields: {}, files: [] }
	for (const part of partsBetween(body, name)) addPart(form, part)
	return form
}

function* partsBetween(body: Buffer, boundary: string): Generator<Buffer> {
	const first = Buffer.from(`--${boundary}`)
	const later = Buffer.from(`\r\n--${boundary}`)
	let from = body.indexOf(first)
	if (from < 0) throw invalidParam('Invalid parameter: the boundary is not in the multipart body.')
	from += first.length
	for (;;) {
		const to = body.indexOf(later, from)
		if (to < 0) return
		yield body.subarray(from + 2, to)
		from = to + later.length
	}
}

function addPart(form: Form, part: Buffer): void {
	const gap = part.indexOf(GAP)
	if (gap < 0) return
	const headers = part.subarray(0, gap).toString()
	const bytes = part.subarray(gap + GAP.length)
	const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? ''
	const field = /[;\s]name="([^"]*)"/i.exec(disposition)?.[1]
	if (field === undefined) return
	const name = /[;\s]filename="([^"]*)"/i.exec(disposition)?.[1] ?? null
	const type = /^content-type:(.*)$/im.exec(headers)?.[1]?.trim() || null
	if (name === null && type === null) form.fields[field] = bytes.toString()
	else form.files.push({ field, name, type, bytes: Buffer.from(bytes) })
}
