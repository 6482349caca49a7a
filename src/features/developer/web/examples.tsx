import { Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { templates } from '#features/templates/contract.ts'
import { slotsOf } from '#features/templates/values.ts'
import { query } from '#lib/web/query.ts'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { EXAMPLES } from '../example-texts.ts'

/** Sending one message, with a template of the account where it has an approved one. */
export function Examples() {
	const wanted = { page: 1, limit: 1, search: '', status: 'APPROVED', category: undefined, language: undefined }
	const [shown, setShown] = useState('curl')
	const found = useQuery(query(templates.list, { query: wanted }))
	const template = found.data?.templates[0]
	const sent = {
		url: `${window.location.origin}/v1/messages`,
		body: {
			to: '+919876543210',
			template: { name: template?.name ?? 'order_update', language: template?.language ?? 'en' },
			values: Object.fromEntries(slotsOf(template?.components ?? []).map(({ key }) => [key, 'Asha'])),
		},
	}
	const text = EXAMPLES.find(({ label }) => label === shown)?.textOf(sent) ?? ''
	return (
		<Card
			title="Send a message"
			hint="Put your key in place of YOUR_API_KEY, and your own number in place of the example."
		>
			<Stack gap={12}>
				<Group align="end" gap={8} wrap="nowrap">
					<Select
						label="Language"
						maw={240}
						data={EXAMPLES.map(({ label }) => label)}
						allowDeselect={false}
						value={shown}
						onChange={(label) => setShown(label ?? shown)}
					/>
					<Group h="var(--app-control)">
						<CopyButton text={text} what={`${shown} example`} />
					</Group>
				</Group>
				<pre className="framed" style={{ margin: 0, padding: 12, overflow: 'auto' }} tabIndex={0}>
					{text}
				</pre>
			</Stack>
		</Card>
	)
}
