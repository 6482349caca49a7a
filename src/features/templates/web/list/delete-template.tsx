import { useMutation } from '@tanstack/react-query'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { plural } from '#lib/numbers.ts'
import { invalidate, mutation } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import { templateError } from '../template-errors.ts'
import { useVersions } from './use-versions.ts'

interface DeleteTemplateProps {
	template: TemplateRow | null
	opened: boolean
	onClose: () => void
}

export function DeleteTemplate({ template, opened, onClose }: DeleteTemplateProps) {
	const versions = useVersions(opened ? template : null)
	const remove = useMutation({
		...mutation(templates.remove),
		onSuccess: async ({ message }) => {
			toast.success(message)
			onClose()
			await invalidate(templates.list)
		},
		onError: (error) => toast.error(templateError(error, 'Failed to delete template')),
	})
	return (
		<ConfirmDialog
			opened={opened}
			title="Delete template?"
			confirm="Delete"
			busyText="Deleting..."
			busy={remove.isPending}
			danger
			onConfirm={() => template && remove.mutate({ params: { name: template.name } })}
			onClose={onClose}
		>
			{template && (
				<div className="stack">
					<p>
						<strong>{template.name}</strong> will be deleted here and at WhatsApp, in{' '}
						{versions && versions.length > 1 ? `all its ${plural(versions.length, 'language')}` : 'every language'}.
					</p>
					<p>
						An approved template’s name cannot be used again for 30 days. Reports of campaigns that used it are kept.
						This cannot be undone.
					</p>
				</div>
			)}
		</ConfirmDialog>
	)
}
