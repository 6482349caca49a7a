import { Button, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { EmptyState } from '#lib/web/ui/feedback/empty-state.tsx'
import { Card } from '#lib/web/ui/layout/card.tsx'
import { useDialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { DataTable } from '#lib/web/ui/table/data-table.tsx'
import { developer, type ApiKey } from '../contract.ts'
import { developerPaths } from '../paths.ts'
import { RECEIVERS } from '../receiver-texts.ts'
import { Examples } from './examples.tsx'
import { keyColumns } from './key-columns.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { Programs } from './programs.tsx'
import { RevokeAll } from './revoke-all.tsx'
import { RevokeKey } from './revoke-key.tsx'
import { ShownOnce } from './shown-once.tsx'
import { Webhooks } from './webhooks/webhooks.tsx'

/** Renders the API keys, webhooks and examples for an account's own systems. */
export function DeveloperCards() {
	const list = useQuery(query(developer.keys))
	const [isAdding, adding] = useDisclosure(false)
	const [made, setMade] = useState<string | null>(null)
	const revoking = useDialogFor<ApiKey>()
	return (
		<>
			<Stack gap={16}>
				{made !== null && <ShownOnce text={made} what="API key" />}
				<Card
					flush
					title="API keys"
					hint="Give each system its own key, so that you can revoke one without the others."
					actions={
						<Group gap={8}>
							<Button component={Link} to={developerPaths.docs} variant="default">
								Documentation
							</Button>
							<Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
								Create API key
							</Button>
						</Group>
					}
				>
					<DataTable
						label="API keys"
						query={list}
						rows={list.data?.keys}
						rowKey={({ id }) => id}
						columns={keyColumns(revoking.open)}
						empty={
							<EmptyState
								title="No API keys yet"
								hint="A key lets your software send messages. You choose its permissions."
								icon={<IconCode size={32} stroke={1.5} aria-hidden />}
							/>
						}
						failed="Failed to fetch API keys"
					/>
				</Card>
				<Webhooks />
				<RevokeAll />
				<Examples />
				<Programs
					title="Receive events"
					hint="Put the secret of your webhook in place of YOUR_SECRET. Answer with 204 as soon as you have stored the events."
					label="Language of your server"
					programs={RECEIVERS}
				/>
			</Stack>
			<KeyDialog dialog={{ opened: isAdding, close: adding.close }} onMade={setMade} />
			<RevokeKey dialog={revoking} />
		</>
	)
}
