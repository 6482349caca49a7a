import { IconRefresh } from '@tabler/icons-react'
import { templates } from '#features/templates/contract.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ActionButton } from '#lib/web/ui/form/action-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { templateError } from '../template-errors.ts'

interface SyncTemplatesProps {
	/** Null when never synced; undefined while loading. */
	lastSyncedAt: string | null | undefined
}

export function SyncTemplates({ lastSyncedAt }: SyncTemplatesProps) {
	return (
		<>
			<span className="quiet">
				{lastSyncedAt === null && 'Not synced yet'}
				{lastSyncedAt && (
					<>
						Last synced: <DateTime iso={lastSyncedAt} as="relative" />
					</>
				)}
			</span>
			<ActionButton
				variant="default"
				leftSection={<IconRefresh className="turns" size={16} aria-hidden />}
				act={sync}
				failed={(error) => toast.error(templateError(error, 'Failed to sync templates'))}
			>
				Sync Templates
			</ActionButton>
		</>
	)
}

async function sync(): Promise<void> {
	const { message } = await call(templates.sync)
	await invalidate(templates.list, templates.get)
	toast.success(message)
}
