import { Stack } from '@mantine/core'
import { formatCount } from '#lib/numbers.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import type { Credentials } from '../contract.ts'
import styles from './sender-facts.module.css'

/** What WhatsApp says about the saved number, and where it should send its reports. */
export function SenderFacts({ credentials }: { credentials: Credentials }) {
	const { verifiedName, displayPhoneNumber, messagesPerSecond, stoppedReason, webhookUrl, verifyToken } = credentials
	return (
		<>
			{stoppedReason && (
				<Notice tone="error" title="Sending has stopped">
					{stoppedReason} <CopyButton text={stoppedReason} what="the reason" />
				</Notice>
			)}
			<Stack component="dl" className={`facts well ${styles.facts}`} gap={4} py={12} px={16}>
				<Fact name="Verified name">{verifiedName ?? '-'}</Fact>
				<Fact name="Phone number">
					<span className="figures">{displayPhoneNumber ?? '-'}</span>{' '}
					{displayPhoneNumber && <CopyButton text={displayPhoneNumber} what="phone number" />}
				</Fact>
				<Fact name="Speed">Up to {formatCount(messagesPerSecond)} messages a second</Fact>
				<Fact name="Webhook URL">
					<code>{webhookUrl}</code> <CopyButton text={webhookUrl} what="webhook URL" />
				</Fact>
				<Fact name="Verify token">
					<code>{verifyToken}</code> <CopyButton text={verifyToken} what="verify token" />
				</Fact>
			</Stack>
		</>
	)
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	)
}
