import { Button, Group, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { previewComponents } from '#features/campaigns/rules.ts'
import type { ChatContact } from '#features/chats/contract.ts'
import { pricing } from '#features/pricing/contract.ts'
import type { TemplateRow } from '#features/templates/contract.ts'
import { TemplatePreview } from '#features/templates/web/parts.tsx'
import { isolate } from '#lib/bidi.ts'
import { formatRupees } from '#lib/money.ts'
import type { Reply } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { LeaveGuard } from '#lib/web/ui/feedback/leave-guard.tsx'
import { MissingPart } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { DraftNotice } from '#lib/web/ui/form/draft-notice.tsx'
import { UserText } from '#lib/web/ui/value/user-text.tsx'
import { TemplateFields } from './template-fields.tsx'
import { useTemplateMessage } from './use-template-message.ts'
import styles from './send-template.module.css'

interface SendTemplateProps {
	contact: ChatContact
	opened: boolean
	onClose: () => void
}

/** Sends a template, the only message allowed outside the 24 hours. */
export function SendTemplate({ contact, opened, onClose }: SendTemplateProps) {
	return (
		<Modal opened={opened} onClose={onClose} title={`Send template to ${isolate(contact.name)}`} size={820}>
			<Form contact={contact} onClose={onClose} />
		</Modal>
	)
}

function Form({ contact, onClose }: Omit<SendTemplateProps, 'opened'>) {
	const message = useTemplateMessage(contact.number, onClose)
	const { template, isChosen, variables, errors, draft, isSending } = message
	const prices = useQuery(query(pricing.mine))
	const price = priceOf(template, prices.data)
	const isRefused = contact.optedOut && template?.category === 'MARKETING'
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault()
				message.submit()
			}}
			noValidate
		>
			<LeaveGuard dirty={isChosen && !isSending} />
			<div className={styles.columns}>
				<div className={styles.fields}>
					<DraftNotice draft={draft} />
					<TemplateFields
						template={template}
						isChosen={isChosen}
						variables={variables}
						errors={errors}
						onTemplate={message.choose}
						onVariable={message.fill}
					/>
					{isRefused && (
						<Notice tone="warn" role="status">
							<UserText text={contact.name} /> has opted out of marketing. Choose a utility template.
						</Notice>
					)}
					{template && <MissingPart message="The price could not be loaded." readings={[prices]} />}
					{template && price !== null && (
						<p className={styles.price}>
							Price: <b className="figures">{formatRupees(price)}</b> from your wallet, returned if it cannot be
							delivered.
						</p>
					)}
				</div>
				<TemplatePreview
					components={template ? previewComponents(template.components, variables) : NOTHING_YET}
					template={template ?? undefined}
				/>
			</div>
			<Group justify="flex-end" gap={8} mt={20}>
				<Button variant="default" onClick={onClose} disabled={isSending}>
					Cancel
				</Button>
				<Button type="submit" disabled={isSending || isRefused} aria-busy={isSending} miw={132}>
					{isSending ? 'Sending...' : 'Send template'}
				</Button>
			</Group>
		</form>
	)
}

const NOTHING_YET = [{ type: 'BODY', text: 'Choose a template to see your message here.' }]

/** The price in rupees; null while loading. */
function priceOf(template: TemplateRow | null, prices: Reply<typeof pricing.mine> | undefined): number | null {
	if (!prices || !template) return null
	return template.category === 'MARKETING' ? prices.marketingPrice : prices.utilityPrice
}
