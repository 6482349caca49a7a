import { Text } from '@mantine/core'
import { referenceOf } from '#lib/web/api.ts'

/** Shows the request id of a failed call, with which support finds it in the server's log; nothing for other errors. */
export function Reference({ error }: { error: unknown }) {
	const id = referenceOf(error)
	if (!id) return null
	return (
		<Text size="xs" c="dimmed">
			Reference {id}
		</Text>
	)
}
