import { Box, Stack } from '@mantine/core'
import type { ChatContact } from '#features/chats/contract.ts'
import { previewComponents } from '#features/templates/values.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { formatRupees } from '#lib/money.ts'
import { isolate } from '#lib/text/bidi.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { FormButtons } from '#lib/web/ui/form/form-buttons.tsx'
import { FormDialog } from '#lib/web/ui/form/form-dialog.tsx'
import { Form } from '#lib/web/ui/form/form.tsx'
import type { DialogFor } from '#lib/web/ui/state/use-dialog-for.ts'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { TemplateFields } from './template-fields.tsx'
import { useTemplateMessage } from './use-template-message.ts'
import styles from './send-template.module.css'

interface SendTemplateProps {
	contact: ChatContact
	dialog: DialogFor<{ _id: string }>
}

/** Renders the dialog that sends a template, the only message allowed outside the 24 hours. */
export function SendTemplate({ contact, dialog }: SendTemplateProps) {
	return (
		<FormDialog dialog={dialog} title={`Send template to ${isolate(contact.name)}`} size={820}>
			<TemplateForm contact={contact} onClose={dialog.close} />
		</FormDialog>
	)
}

function TemplateForm({ contact, onClose }: { contact: ChatContact; onClose: () => void }) {
	const message = useTemplateMessage(contact.number, onClose)
	const { template, isChosen, state, prices, price } = message
	const { variables } = state.form.values
	const isRefused = contact.optedOut && template?.category === 'MARKETING'
	return (
		<Form state={state}>
			<LeaveGuard dirty={isChosen && !state.busy} />
			<div className={styles.columns}>
				<Stack gap={14} miw={0}>
					<TemplateFields {...message} />
					{isRefused && (
						<Notice tone="warn" role="status">
							<UserText text={contact.name} /> has opted out of marketing. Choose a utility template.
						</Notice>
					)}
					{template && <MissingPart message="The price could not be loaded." readings={[prices]} />}
					{price?.refusal && (
						<Notice tone="warn" role="status">
							{price.refusal === 'blocked'
								? 'Messages to this country are blocked for your account.'
								: 'Messages to this country have no price yet.'}{' '}
							Ask your administrator.
						</Notice>
					)}
					{price && price.price !== null && (
						<p className="secondary">
							Price:{' '}
							<Box component="b" className="figures" c="var(--app-text)">
								{formatRupees(price.price)}
							</Box>{' '}
							from your wallet, returned if it cannot be delivered.
						</p>
					)}
				</Stack>
				<TemplatePreview
					components={template ? previewComponents(template.components, variables) : NOTHING_YET}
					template={template ?? undefined}
				/>
			</div>
			<FormButtons disabled={isRefused || Boolean(price?.refusal)} busyText="Sending..." miw={132}>
				Send template
			</FormButtons>
		</Form>
	)
}

const NOTHING_YET = [{ type: 'BODY', text: 'Choose a template to see your message here.' }]
