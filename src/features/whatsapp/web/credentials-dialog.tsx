import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { isolate } from '#lib/text/bidi.ts'
import { messageOf } from '#lib/web/api.ts'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { useDelayed } from '#lib/web/ui/feedback/use-delayed.ts'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { credentialsOf } from './credentials-query.ts'

interface CredentialsDialogProps {
	/** Holds the user whose credentials are edited. */
	dialog: Pick<DialogFor<{ _id: string; name: string }>, 'subject' | 'opened' | 'close'>
	/** Called with the id of the user whose credentials were saved. */
	onSaved?: (userId: string) => void
}

export function CredentialsDialog({ dialog, onSaved }: CredentialsDialogProps) {
	const user = dialog.subject
	return (
		<FormDialog dialog={dialog} title={`Manage Key: ${isolate(user?.name ?? '')}`} size={640}>
			{user && <Loaded userId={user._id} onSaved={onSaved} />}
		</FormDialog>
	)
}

function Loaded({ userId, onSaved }: { userId: string; onSaved: CredentialsDialogProps['onSaved'] }) {
	const stored = useQuery(credentialsOf(userId))
	const showSkeleton = useDelayed(stored.isPending)
	const failed = 'Failed to fetch credentials'
	useErrorToast(stored.error, failed)
	if (stored.data !== undefined) return <CredentialsForm userId={userId} stored={stored.data} onSaved={onSaved} />
	if (stored.error) return <LoadError message={messageOf(stored.error, failed)} reading={stored} />
	return (
		<div className="stack" role="status" aria-label="Loading credentials">
			{Array.from({ length: 5 }, (_, field) => (
				<Skeleton key={field} height={60} visible={showSkeleton} />
			))}
		</div>
	)
}
