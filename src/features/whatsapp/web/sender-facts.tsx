import { formatCount, plural } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { DateTime } from '#lib/web/ui/value/date-time.tsx'
import { Facts } from '#lib/web/ui/value/facts.tsx'
import type { Credentials } from '../contract.ts'
import { healthWarning, NO_LIMIT, qualityOf } from '../rules.ts'
import styles from './sender-facts.module.css'

/** Shows the saved number's state at WhatsApp, and the webhook address to enter there. */
export function SenderFacts({ credentials }: { credentials: Credentials }) {
	const { verifiedName, displayPhoneNumber, messagesPerSecond, stoppedReason, waitingCause } = credentials
	const { billingCurrency, hasPaymentMethod, billingWarnings, webhookUrl, verifyToken, appWebhookUrl } = credentials
	const { limits } = credentials
	const healthText = limits && healthWarning(limits)
	return (
		<>
			{stoppedReason && (
				<Notice tone="error" title="Sending has stopped">
					{stoppedReason} <CopyButton text={stoppedReason} what="the reason" />
				</Notice>
			)}
			{waitingCause && (
				<Notice tone="warn" title="Sending waits for WhatsApp">
					It continues when WhatsApp answers again. Cause: {waitingCause}{' '}
					<CopyButton text={waitingCause} what="the cause" />
				</Notice>
			)}
			{healthText && (
				<Notice tone="warn" title="WhatsApp limits this number">
					{healthText}
				</Notice>
			)}
			{billingWarnings.map((warning) => (
				<Notice key={warning} tone="warn" title="WhatsApp will not deliver these messages">
					{warning}
				</Notice>
			))}
			<Facts
				className={`well ${styles.facts}`}
				py={12}
				px={16}
				of={{
					'Verified name': verifiedName ?? '-',
					'Phone number': (
						<>
							<span className="figures">{displayPhoneNumber ?? '-'}</span>{' '}
							{displayPhoneNumber && <CopyButton text={displayPhoneNumber} what="phone number" />}
						</>
					),
					Speed: `Up to ${formatCount(messagesPerSecond)} messages a second`,
					...(limits ? limitFacts(limits) : { 'Daily limit': 'Not known yet' }),
					Billing: billingCurrency
						? `In ${billingCurrency}, ${hasPaymentMethod ? 'payment method saved' : 'no payment method'}`
						: 'Not known yet',
					'Webhook URL': (
						<>
							<code>{webhookUrl}</code> <CopyButton text={webhookUrl} what="webhook URL" />
						</>
					),
					'Verify token': (
						<>
							<code>{verifyToken}</code> <CopyButton text={verifyToken} what="verify token" />
						</>
					),
					'URL in the Meta app': <AppAddress url={appWebhookUrl} isOwn={appWebhookUrl === webhookUrl} />,
				}}
			/>
		</>
	)
}

/** Returns limit, quality and state of the number. Values of WhatsApp that the product does not know are shown unchanged. */
function limitFacts(limits: NonNullable<Credentials['limits']>) {
	const { messagingLimit, nameStatus, verificationStatus, healthStatus, portfolioId, isOnPhoneApp, readAt } = limits
	return {
		'Daily limit': (
			<span>
				{perDayText(messagingLimit)}{' '}
				<small className="fine">
					read <DateTime iso={readAt} as="relative" />
				</small>
			</span>
		),
		Quality: wordsOf(qualityOf(limits) ?? limits.quality),
		Health: wordsOf(healthStatus),
		'Display name': wordsOf(nameStatus),
		Verification: wordsOf(verificationStatus),
		Portfolio: portfolioId ?? 'Not known yet',
		'Phone app': isOnPhoneApp && 'Also used in the WhatsApp Business app, which sets the speed',
	}
}

function perDayText(limit: number | null): string {
	if (limit === null) return 'Not known yet'
	return limit === NO_LIMIT ? 'No limit' : `${plural(limit, 'person', 'people')} in 24 hours`
}

/** Returns AVAILABLE_WITHOUT_REVIEW as "Available without review". */
function wordsOf(word: string | null): string {
	if (word === null) return 'Not known yet'
	return `${word.slice(0, 1).toUpperCase()}${word.slice(1).toLowerCase().replaceAll('_', ' ')}`
}

/** Shows the webhook address to enter in the Meta app, because events of templates and accounts arrive only there. */
function AppAddress({ url, isOwn }: { url: string | null; isOwn: boolean }) {
	if (url === null)
		return 'Not set up: changes of templates and accounts do not arrive. Set META_APP_SECRET and META_APP_VERIFY_TOKEN on the server.'
	if (isOwn) return 'Enter the URL and token above in the app too: App Dashboard, WhatsApp, Configuration.'
	return (
		<>
			<code>{url}</code> <CopyButton text={url} what="URL for the Meta app" />
			<br />
			Once for all accounts of the app, with META_APP_VERIFY_TOKEN as its verify token.
		</>
	)
}
