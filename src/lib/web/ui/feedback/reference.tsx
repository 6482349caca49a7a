import { Text } from '@mantine/core'
import { referenceOf } from '#lib/web/api.ts'

/** The id of a call that broke: whoever reports it to support names the line in the server's log. Nothing for other errors. */
export function Reference({ error }: { error: unknown }) {
	const id = referenceOf(error)
	if (!id) return null
	return (
		<Text size="xs" c="dimmed">
			Reference {id}
		</Text>
	)
}
