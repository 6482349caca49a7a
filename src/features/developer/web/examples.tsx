import { useQuery } from '@tanstack/react-query'
import { templates } from '#features/templates/contract.ts'
import { slotsOf } from '#features/templates/values.ts'
import { query } from '#lib/web/query.ts'
import { EXAMPLES } from '../example-texts.ts'
import { Programs } from './programs.tsx'

/** Shows programs that send one message, with an approved template of the account if it has one. */
export function Examples() {
	const wanted = { page: 1, limit: 1, search: '', status: 'APPROVED', category: undefined, language: undefined }
	const found = useQuery(query(templates.list, { query: wanted }))
	const template = found.data?.templates[0]
	const sent = {
		url: `${window.location.origin}/v1/messages`,
		body: {
			to: '+447700900123',
			template: { name: template?.name ?? 'order_update', language: template?.language ?? 'en' },
			values: Object.fromEntries(slotsOf(template?.components ?? []).map(({ key }) => [key, 'Asha'])),
		},
	}
	return (
		<Programs
			title="Send a message"
			hint="Put your key in place of YOUR_API_KEY, and your own number in place of the example."
			label="Language"
			programs={EXAMPLES.map(({ label, textOf }) => ({ label, text: textOf(sent) }))}
		/>
	)
}
