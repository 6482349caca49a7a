import { Modal, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isolate } from '#lib/bidi.ts'
import { messageOf } from '#lib/web/api.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { credentialsOf } from './credentials-query.ts'

interface CredentialsDialogProps {
	/** Whose credentials; null before the first opening. */
	user: { _id: string; name: string } | null
	opened: boolean
	onClose: () => void
}

export function CredentialsDialog({ user, opened, onClose }: CredentialsDialogProps) {
	const [busy, setBusy] = useState(false)
	return (
		<Modal
			opened={opened}
			onClose={busy ? () => {} : onClose}
			title={`Manage Key: ${isolate(user?.name ?? '')}`}
			size={640}
			closeOnClickOutside={false}
		>
			{user && <Loaded userId={user._id} onBusy={setBusy} onClose={onClose} />}
		</Modal>
	)
}

interface LoadedProps {
	userId: string
	onBusy: (busy: boolean) => void
	onClose: () => void
}

function Loaded({ userId, onBusy, onClose }: LoadedProps) {
	const stored = useQuery(credentialsOf(userId))
	const showSkeleton = useDelayed(stored.isPending)
	const failed = 'Failed to fetch credentials'
	useErrorToast(stored.error, failed)
	if (stored.data !== undefined)
		return <CredentialsForm userId={userId} stored={stored.data} onBusy={onBusy} onClose={onClose} />
	if (stored.error)
		return (
			<LoadError
				message={messageOf(stored.error, failed)}
				onRetry={() => void stored.refetch()}
				busy={stored.isFetching}
			/>
		)
	return (
		<div className="stack" role="status" aria-label="Loading credentials">
			{Array.from({ length: 5 }, (_, field) => (
				<Skeleton key={field} height={60} visible={showSkeleton} />
			))}
		</div>
	)
}
