import { Box, Button, Group, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { auth, CodeBody, StartSecondFactorBody } from '#features/auth/contract.ts'
import { call } from '#lib/web/api.ts'
import { saveFile } from '#lib/web/files/save-file.ts'
import { Notice } from '#lib/web/ui/feedback/notice.tsx'
import { CopyButton } from '#lib/web/ui/form/copy-button.tsx'
import { CurrentPassword, FactorForm } from './factor-form.tsx'
import styles from './second-factor.module.css'

interface Offer {
	secret: string
	uri: string
}

/** Sets up a second factor in three steps: the password, a first code of the app, and the recovery codes. */
export function SetUpSecondFactor({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
	const [offer, setOffer] = useState<Offer | null>(null)
	const [codes, setCodes] = useState<string[] | null>(null)
	if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
	if (offer) return <FirstCode offer={offer} onConfirmed={setCodes} onCancel={onCancel} />
	return <Password onProved={setOffer} onCancel={onCancel} />
}

interface StepProps {
	onCancel: (() => void) | undefined
}

function Password({ onProved, onCancel }: StepProps & { onProved: (offer: Offer) => void }) {
	return (
		<FactorForm
			schema={StartSecondFactorBody}
			initialValues={{ currentPassword: '' }}
			submit={async (body) => onProved(await call(auth.startSecondFactor, { body }))}
			word="Continue"
			onCancel={onCancel}
		>
			{(propsOf) => <CurrentPassword {...propsOf('currentPassword')} />}
		</FactorForm>
	)
}

function FirstCode({
	offer,
	onConfirmed,
	onCancel,
}: StepProps & { offer: Offer; onConfirmed: (codes: string[]) => void }) {
	return (
		<FactorForm
			schema={CodeBody}
			initialValues={{ code: '' }}
			submit={async (body) => onConfirmed((await call(auth.confirmSecondFactor, { body })).recoveryCodes)}
			word="Switch on"
			onCancel={onCancel}
		>
			{(propsOf) => (
				<>
					<p>Scan this with an authenticator app, such as Google Authenticator, Microsoft Authenticator or Aegis.</p>
					<QrCode text={offer.uri} label="QR code for your authenticator app" />
					<p>
						Or enter this key in the app: <code className="whole">{offer.secret}</code>{' '}
						<CopyButton text={offer.secret} what="key" />
					</p>
					<TextInput
						label="Code"
						description="The 6 digits that the app shows now"
						autoComplete="one-time-code"
						inputMode="numeric"
						required
						{...propsOf('code')}
					/>
				</>
			)}
		</FactorForm>
	)
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
	const text = `Recovery codes for WhatsApp Bulk Message. Each works once.\n\n${codes.join('\n')}\n`
	return (
		<div className="stack">
			<Notice tone="ok" title="Two-step login is on" role="status">
				Keep these recovery codes. Each signs you in once without the app, and they are not shown again.
			</Notice>
			<Box
				component="ul"
				className="bare abreast"
				ff="monospace"
				style={{ '--least': '270px', gap: '4px 16px' }}
				aria-label="Recovery codes"
			>
				{codes.map((code) => (
					<li key={code}>{code}</li>
				))}
			</Box>
			<Group>
				<Button
					variant="default"
					onClick={() => saveFile(new File([text], 'recovery-codes.txt', { type: 'text/plain' }))}
				>
					Download the codes
				</Button>
				<Button onClick={onDone}>I have kept them</Button>
			</Group>
		</div>
	)
}

/**
 * Renders a text as a QR code, dark on white in either colour scheme, as cameras expect. The drawing library is loaded on
 * demand.
 */
function QrCode({ text, label }: { text: string; label: string }) {
	const [drawing, setDrawing] = useState({ path: '', size: 1 })
	useEffect(() => {
		let isShown = true
		import('uqr').then(
			({ encode }) => {
				const { data, size } = encode(text, { border: 2 })
				const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
				if (isShown) setDrawing({ path, size })
			},
			// The typed key is enough when the drawing library does not load.
			() => {},
		)
		return () => {
			isShown = false
		}
	}, [text])
	const { path, size } = drawing
	return (
		<svg
			className={styles.qr}
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shapeRendering="crispEdges"
		>
			<path d={path} />
		</svg>
	)
}
