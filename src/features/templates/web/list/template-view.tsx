import { Button, Modal } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { templateCampaignPath } from '#features/campaigns/paths.ts'
import { pricing, type PresentPricesFields } from '#features/pricing/contract.ts'
import { templates, type TemplateRow } from '#features/templates/contract.ts'
import { categoryName, rejectionText, templateTitle } from '#features/templates/template-words.ts'
import { formatRupees } from '#lib/money.ts'
import { messageOf } from '#lib/web/api.ts'
import { query } from '#lib/web/query.ts'
import { Link } from '#lib/web/router/link.tsx'
import { LoadError } from '#lib/web/ui/feedback/load-error.tsx'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { useErrorToast } from '#lib/web/ui/feedback/use-error-toast.ts'
import { TemplatePreview } from '../parts.tsx'
import { TemplateFacts } from './template-facts.tsx'
import { UploadHeader } from './upload-header.tsx'
import styles from './templates.module.css'

const FAILED = 'Failed to view template'

interface TemplateViewProps {
	/** Row of the list, shown until the template is loaded and while the dialog fades out. */
	listed: TemplateRow | null
	opened: boolean
	/** Null when never synced. */
	lastSyncedAt: string | null
	onClose: () => void
}

/** Renders the dialog with a preview of a template and its facts from Meta. */
export function TemplateView({ listed, opened, lastSyncedAt, onClose }: TemplateViewProps) {
	const reading = useQuery({
		...query(templates.get, { params: { id: listed?._id ?? '' } }),
		enabled: listed !== null,
		placeholderData: listed ?? undefined,
	})
	const { data: template, error } = reading
	useErrorToast(opened ? error : null, FAILED)
	return (
		<Modal opened={opened} onClose={onClose} title={listed && templateTitle(listed.name)} size={760}>
			{!template && error && <LoadError message={messageOf(error, FAILED)} reading={reading} />}
			{template && (
				<div className={styles.view}>
					<div className="stack">
						<Notices template={template} />
						<TemplateFacts template={template} lastSyncedAt={lastSyncedAt} />
						{template.status === 'APPROVED' && !template.isGone && !template.needsHeaderFile && (
							<Button
								style={{ alignSelf: 'flex-start' }}
								component={Link}
								to={templateCampaignPath(template._id)}
								leftSection={<IconSpeakerphone size={16} aria-hidden />}
							>
								Use in a campaign
							</Button>
						)}
					</div>
					<TemplatePreview components={template.components} template={template} />
				</div>
			)}
		</Modal>
	)
}

/** Warns that WhatsApp considers another category right, with the price of its messages. */
function CategoryWarning({ to }: { to: string }) {
	const prices = useQuery(query(pricing.mineByMarket)).data
	const price = prices && priceOf(prices, to)
	return (
		<Notice tone="warn" title={`WhatsApp may change this template to ${categoryName(to)}`}>
			{price === undefined
				? 'Its messages would then have the price of that category.'
				: `Its price would be ${formatRupees(price)} a message in India.`}{' '}
			Edit its text in WhatsApp Manager if it should keep its category.
		</Notice>
	)
}

/** Returns the price of a message in India in a category; undefined for a category that is unknown. */
function priceOf(prices: PresentPricesFields, category: string): number | undefined {
	if (category === 'MARKETING') return prices.marketingPrice
	if (category === 'UTILITY') return prices.utilityPrice
	return category === 'AUTHENTICATION' ? prices.authenticationPrice : undefined
}

/** Renders notices about problems that keep the template from being sent, or will change its price. */
function Notices({ template }: { template: TemplateRow }) {
	const { rejectedReason, isGone, needsHeaderFile, category, correctCategory } = template
	return (
		<>
			{isGone && (
				<Notice tone="warn" title="No longer at WhatsApp">
					It was deleted there and cannot be sent. We keep it here because campaigns use it.
				</Notice>
			)}
			{rejectedReason && !isGone && (
				<Notice tone="error" title="Why it was rejected">
					{rejectionText(rejectedReason)}
				</Notice>
			)}
			{correctCategory !== null && correctCategory !== category && <CategoryWarning to={correctCategory} />}
			{needsHeaderFile && !isGone && <UploadHeader template={template} />}
		</>
	)
}
