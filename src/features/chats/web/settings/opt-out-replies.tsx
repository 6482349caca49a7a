import { MultiSelect, Skeleton, Switch, TagsInput, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ChatSettings, chats, type QuickReply } from '#features/chats/contract.ts'
import { MAX_OPT_OUT_BUTTONS, MAX_OPT_OUT_WORD_LENGTH, MAX_OPT_OUT_WORDS } from '#features/chats/rules.ts'
import { templateTitle } from '#features/templates/template-words.ts'
import { withoutOverrides } from '#lib/text/bidi.ts'
import { call, messageOf } from '#lib/web/api.ts'
import { useSchemaForm } from '#lib/web/form.ts'
import { limited } from '#lib/web/limited.ts'
import { formQuery, query } from '#lib/web/query.ts'
import { chatToast } from '#lib/web/toast.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { PhoneApp } from './phone-app.tsx'

const FAILED = 'Failed to fetch the settings'

/**
 * Renders the dialog for the ways to opt out: own words, quick replies, and the automatic replies to STOP and START.
 */
export function OptOutReplies({ dialog }: { dialog: DialogFor<never> }) {
	return (
		<FormDialog dialog={dialog} title="Replies to STOP and START" size={520}>
			<LoadedReplies onClose={dialog.close} />
		</FormDialog>
	)
}

function LoadedReplies({ onClose }: { onClose: () => void }) {
	const settings = useQuery(formQuery(chats.settings))
	if (settings.data)
		return (
			<>
				<Replies settings={settings.data} onClose={onClose} />
				<PhoneApp />
			</>
		)
	if (settings.error) return <LoadError message={messageOf(settings.error, FAILED)} reading={settings} />
	return (
		<div role="status" aria-label="Loading settings">
			<Skeleton height={380} />
		</div>
	)
}

function Replies({ settings, onClose }: { settings: ChatSettings; onClose: () => void }) {
	const state = useSchemaForm<ChatSettings>({
		schema: ChatSettings,
		draft: 'chat-replies',
		initialValues: settings,
		submit: async (body) => {
			const saved = await call(chats.saveSettings, { body })
			chatToast.success(saved.message)
			onClose()
		},
		failed: (error) => chatToast.failure(error, 'Failed to save the settings'),
	})
	const { form } = state
	return (
		<Form state={state}>
			<TagsInput
				label="Your own words"
				description="A message that is just one of these words also opts out. STOP, UNSUBSCRIBE, band karo and similar words always work."
				placeholder="Type a word and press Enter"
				maxTags={MAX_OPT_OUT_WORDS}
				acceptValueOnBlur
				clearButtonProps={{ 'aria-label': 'Remove all words' }}
				{...limited(MAX_OPT_OUT_WORD_LENGTH, {
					...form.getInputProps('optOutWords'),
					error: errorOf(form.errors, 'optOutWords'),
				})}
			/>
			<QuickReplies
				value={form.values.optOutButtons}
				error={errorOf(form.errors, 'optOutButtons')}
				onChange={(buttons) => form.setFieldValue('optOutButtons', buttons)}
			/>
			<Switch
				label="Send a confirmation message"
				checked={form.values.confirms}
				onChange={(event) => form.setFieldValue('confirms', event.currentTarget.checked)}
			/>
			<Textarea label="After STOP" required {...form.getInputProps('optOutText')} />
			<Textarea label="After START" required {...form.getInputProps('optInText')} />
			<FormButtons miw={104}>Save</FormButtons>
		</Form>
	)
}

/**
 * Renders the select for the quick replies that opt out. A chosen reply stays in the list when its template is deleted.
 */
function QuickReplies(props: { value: QuickReply[]; error: ReactNode; onChange: (buttons: QuickReply[]) => void }) {
	const { data } = useQuery({ ...query(chats.quickReplies), staleTime: 0 })
	const choices = new Map([...(data?.quickReplies ?? []), ...props.value].map((button) => [keyOf(button), button]))
	return (
		<MultiSelect
			label="Quick replies that opt out"
			description="A customer who taps one of these template buttons opts out."
			placeholder={props.value.length === 0 ? 'Choose buttons' : undefined}
			data={Array.from(choices, ([value, { template, text }]) => ({
				value,
				label: withoutOverrides(`${text} (${templateTitle(template)})`),
			}))}
			value={props.value.map(keyOf)}
			error={props.error}
			onChange={(keys) => props.onChange(keys.flatMap((key) => choices.get(key) ?? []))}
			searchable
			limit={50}
			maxValues={MAX_OPT_OUT_BUTTONS}
			nothingFoundMessage="None of your templates has such a button"
		/>
	)
}

function keyOf({ template, text }: QuickReply): string {
	return JSON.stringify([template, text])
}

/** Returns the first error of a list, or of one of its items. */
function errorOf(errors: Record<string, ReactNode>, list: string): ReactNode {
	return Object.entries(errors).find(([path]) => path === list || path.startsWith(`${list}.`))?.[1]
}
