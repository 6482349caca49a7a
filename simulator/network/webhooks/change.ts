import { escapedJson } from './signature.ts'

/** Returns one `{value, field}` of a webhook as escaped JSON. */
export function change(field: string, value: unknown): string {
	return escapedJson({ value, field })
}
