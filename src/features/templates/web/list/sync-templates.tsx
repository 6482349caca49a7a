import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { templates } from '#features/templates/contract.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { templateError } from '../template-errors.ts'
import styles from './templates.module.css'

interface SyncTemplatesProps {
	/** Null if never synchronised; undefined while loading. */
	lastSyncedAt: string | null | undefined
}

export function SyncTemplates({ lastSyncedAt }: SyncTemplatesProps) {
	const sync = useMutation({
		...mutation(templates.sync),
		onSuccess: async ({ message }) => {
			await invalidate(templates.list)
			toast.success(message)
		},
		onError: (error) => toast.error(templateError(error, 'Failed to sync templates')),
	})
	return (
		<>
			<span className={styles.synced}>
				{lastSyncedAt === null && 'Not synced yet'}
				{lastSyncedAt && (
					<>
						Last synced: <DateTime iso={lastSyncedAt} as="relative" />
					</>
				)}
			</span>
			<Button
				variant="default"
				leftSection={<IconRefresh className={styles.spin} data-busy={sync.isPending} size={16} aria-hidden />}
				disabled={sync.isPending}
				aria-busy={sync.isPending}
				onClick={() => sync.mutate({})}
			>
				Sync Templates
			</Button>
		</>
	)
}
