import { Skeleton, Switch, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChatSettingsBody, chats, type ChatSettings } from '#features/chats/contract.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { query, queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'

const FAILED = 'Failed to fetch the settings'

/** The automatic replies to STOP and START: on or off, and their texts. */
export function OptOutReplies({ dialog }: { dialog: DialogFor<never> }) {
	const settings = useQuery({ ...query(chats.settings), enabled: dialog.opened, staleTime: 0 })
	return (
		<FormDialog dialog={dialog} title="Replies to STOP and START" size={520}>
			{settings.data && <Replies settings={settings.data} onClose={dialog.close} />}
			{settings.isPending && (
				<div role="status" aria-label="Loading settings">
					<Skeleton height={220} />
				</div>
			)}
			{settings.error && !settings.data && <LoadError message={messageOf(settings.error, FAILED)} reading={settings} />}
		</FormDialog>
	)
}

function Replies({ settings, onClose }: { settings: ChatSettings; onClose: () => void }) {
	const state = useSchemaForm<{ confirms: boolean; optOutText: string; optInText: string }>({
		schema: ChatSettingsBody,
		draft: 'chat-replies',
		initialValues: settings,
		submit: async (body) => {
			const saved = await call(chats.saveSettings, { body })
			queryClient.setQueryData(query(chats.settings).queryKey, saved.settings)
			chatToast.success(saved.message)
			onClose()
		},
		failed: (error) => chatToast.failure(error, 'Failed to save the settings'),
	})
	const { form } = state
	return (
		<Form state={state}>
			<p>People who reply STOP get no more marketing from you. START opts them back in.</p>
			<Switch
				label="Confirm each change with a message"
				checked={form.values.confirms}
				onChange={(event) => form.setFieldValue('confirms', event.currentTarget.checked)}
			/>
			<Textarea label="After STOP" required maxLength={1000} {...form.getInputProps('optOutText')} />
			<Textarea label="After START" required maxLength={1000} {...form.getInputProps('optInText')} />
			<FormButtons miw={104}>Save</FormButtons>
		</Form>
	)
}
