import { Button, Group, Modal, Skeleton, Switch, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ChatSettingsBody, chats, type ChatSettings } from '#features/chats/contract.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { query, queryClient } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'

const FAILED = 'Failed to fetch the settings'

interface OptOutRepliesProps {
	opened: boolean
	onClose: () => void
}

/** The automatic replies to STOP and START: on or off, and their texts. */
export function OptOutReplies({ opened, onClose }: OptOutRepliesProps) {
	const settings = useQuery({ ...query(chats.settings), enabled: opened, staleTime: 0 })
	return (
		<Modal opened={opened} onClose={onClose} title="Replies to STOP and START" size={520}>
			{settings.data && <Form settings={settings.data} onClose={onClose} />}
			{settings.isPending && (
				<div role="status" aria-label="Loading settings">
					<Skeleton height={220} />
				</div>
			)}
			{settings.error && !settings.data && (
				<LoadError
					message={messageOf(settings.error, FAILED)}
					onRetry={() => void settings.refetch()}
					busy={settings.isFetching}
				/>
			)}
		</Modal>
	)
}

function Form({ settings, onClose }: { settings: ChatSettings; onClose: () => void }) {
	const { form, busy, draft, onSubmit } = useSchemaForm<{ confirms: boolean; optOutText: string; optInText: string }>({
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
	return (
		<form className="stack" onSubmit={onSubmit} noValidate>
			<DraftNotice draft={draft} />
			<p>People who reply STOP get no more marketing from you. START opts them back in.</p>
			<Switch
				label="Confirm each change with a message"
				checked={form.values.confirms}
				onChange={(event) => form.setFieldValue('confirms', event.currentTarget.checked)}
			/>
			<Textarea label="After STOP" required maxLength={1000} {...form.getInputProps('optOutText')} />
			<Textarea label="After START" required maxLength={1000} {...form.getInputProps('optInText')} />
			<Group justify="flex-end" gap={8}>
				<Button variant="default" onClick={onClose} disabled={busy}>
					Cancel
				</Button>
				<Button type="submit" disabled={busy} aria-busy={busy} miw={104}>
					{busy ? 'Saving...' : 'Save'}
				</Button>
			</Group>
		</form>
	)
}
