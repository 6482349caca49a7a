import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { plural } from '#lib/numbers.ts'
import { call } from '#lib/web/api.ts'
import { invalidate } from '#lib/web/query.ts'
import { toast } from '#lib/web/toast.tsx'
import { ConfirmDialog } from '#lib/web/ui/feedback/confirm-dialog.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { templateError } from '../template-errors.ts'
import { useVersions } from './use-versions.ts'

export function DeleteTemplate({ dialog }: { dialog: DialogFor<TemplateRow> }) {
	const { subject: template, opened, close } = dialog
	const versions = useVersions(opened ? template : null)
	const remove = async () => {
		if (!template) return
		const { message } = await call(templates.remove, { params: { name: template.name } })
		toast.success(message)
		close()
		await invalidate(templates.list)
	}
	return (
		<ConfirmDialog
			dialog={dialog}
			title="Delete template?"
			confirm="Delete"
			busyText="Deleting..."
			danger
			onConfirm={remove}
			failed={(error) => toast.error(templateError(error, 'Failed to delete template'))}
		>
			{template && (
				<div className="stack">
					<p>
						<strong>{templateTitle(template.name)}</strong> will be deleted here and at WhatsApp, in{' '}
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
